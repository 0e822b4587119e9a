import { KubewrightError } from '@kubewright/api';

const PROBE = 'kubewright:probe';

/**
 * Finds out whether the metadata that decorators write can be read here. A second copy of reflect-metadata that replaced
 * the functions of the first makes everything written before unreadable; it would show as constructors without types.
 */
export class MetadataProbe {
  readonly #target = {};

  constructor() {
    Reflect.defineMetadata(PROBE, true, this.#target);
  }

  /** Throws KW_META_TWO_COPIES when the mark of the constructor is gone. */
  check(): void {
    if (Reflect.getOwnMetadata(PROBE, this.#target) === true) return;
    throw new KubewrightError(
      'KW_META_TWO_COPIES',
      'reflect-metadata was loaded a second time after kubewright, and what decorators wrote before is lost; fix: run "npm dedupe" so that one copy is left (npm ls reflect-metadata shows them), and do not import it by hand',
      { fix: 'npm dedupe' },
    );
  }
}
