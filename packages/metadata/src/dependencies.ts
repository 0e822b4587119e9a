import type { Class } from './class-type.js';
import { isClass } from './class-type.js';
import { constructorTypes } from './design-types.js';
import type { Fault } from './fault.js';

/** What the container must hand to a constructor, or why that cannot be told. */
export interface Dependencies {
  readonly types: readonly Class[];
  readonly faults: readonly Fault[];
}

const NONE: Dependencies = { types: [], faults: [] };

const CAUSES = new Map<unknown, readonly [found: string, fix: string]>([
  [
    undefined,
    [
      'has a type that did not exist yet when the class was loaded (circular import)',
      'break the cycle: move the class above, or into a file of its own',
    ],
  ],
  [
    Object,
    [
      'is typed as an interface, a union or a type alias, which do not exist at run time (metadata says Object)',
      'type it with a class (abstract classes serve) and bind that class in `bindings`',
    ],
  ],
  [
    Function,
    [
      'is typed with a class that was imported as a type only (metadata says Function)',
      'write `import { … }`, not `import type { … }`, for classes that are injected',
    ],
  ],
]);

/** Constructor parameters of a class by type, with a fault for each that no container could serve. */
export function dependenciesOf(cls: Class): Dependencies {
  const found = constructorTypes(cls);
  if (found === undefined) return NONE;
  if (found.types === undefined) return { types: [], faults: [untyped(cls, found.declaredBy, found.length)] };
  const faults: Fault[] = [];
  found.types.forEach((type, index) => {
    const fault = parameterFault(cls, index, type);
    if (fault) faults.push(fault);
  });
  return { types: found.types as Class[], faults };
}

function parameterFault(cls: Class, index: number, type: unknown): Fault | undefined {
  const base = { code: 'KW_DI_TYPE' as const, owner: cls.name, property: `constructor[${index}]` };
  const cause = CAUSES.get(type);
  if (cause)
    return { ...base, found: `constructor parameter ${index + 1} ${cause[0]}`, expected: 'a class', fix: cause[1] };
  if (isClass(type)) return undefined;
  const name = typeof type === 'function' ? type.name : String(type);
  return {
    ...base,
    found: `constructor parameter ${index + 1} is a ${name}, which cannot be injected by type`,
    expected: 'a class',
    fix: `wrap it in a class of its own (for example \`class MailSettings { … }\`) and bind that`,
  };
}

function untyped(cls: Class, declaredBy: Class, length: number): Fault {
  const inherited = declaredBy !== cls;
  return {
    code: inherited ? 'KW_DI_INHERITED' : 'KW_META_NO_TYPES',
    owner: cls.name,
    property: 'constructor',
    found: inherited
      ? `inherits the constructor of ${declaredBy.name}, whose ${length} parameter type(s) are unknown because no decorator stands on ${declaredBy.name}`
      : `has ${length} constructor parameter(s) but no type information`,
    expected: 'types written down by the compiler',
    fix: inherited
      ? `put @Injectable() on ${declaredBy.name}, or declare a constructor in ${cls.name} that calls super(…)`
      : 'compile with tsc and both experimentalDecorators and emitDecoratorMetadata (esbuild, tsx and type stripping drop them), import "kubewright" before the class is loaded, and put @Injectable() on classes without another decorator',
  };
}
