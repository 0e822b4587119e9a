import { isIP } from 'node:net';
import { invalidValue } from '../core/errors.js';
import type { FieldError, KubeObject } from '../core/types.js';
import type { Service } from './shapes.js';

/** The range of cluster addresses (DF-2). */
const SERVICE_RANGE = '10.96.0.0/16';

const BASE = (10 << 24) | (96 << 16);

/** Dotted address of an offset in the range. */
function addressOf(offset: number): string {
  const value = BASE + offset;
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

/** Whether an address lies in the range. */
const inServiceRange = (address: string): boolean => /^10\.96\.\d+\.\d+$/.test(address);

/**
 * Hands out cluster addresses and node ports. What is taken is read from the stored Services each time, so a failed create,
 * a restored snapshot or a loaded data folder need no bookkeeping.
 */
export class ServiceSpace {
  readonly #stored: () => readonly KubeObject[];
  #nextOffset = 256;
  #nextPort = 30_100;

  constructor(stored: () => readonly KubeObject[]) {
    this.#stored = stored;
  }

  #addresses(except?: string): Set<string> {
    const taken = new Set<string>();
    for (const object of this.#stored()) {
      if (object.metadata.uid !== except) for (const ip of (object as Service).spec.clusterIPs ?? []) taken.add(ip);
    }
    return taken;
  }

  #ports(except?: string): Set<number> {
    const taken = new Set<number>();
    for (const object of this.#stored()) {
      if (object.metadata.uid === except) continue;
      for (const port of (object as Service).spec.ports ?? []) if (port.nodePort) taken.add(port.nodePort);
    }
    return taken;
  }

  /** A free address; undefined when the range is used up. */
  address(): string | undefined {
    const taken = this.#addresses();
    for (let tries = 0; tries < 65_000; tries++) {
      const address = addressOf(this.#nextOffset);
      this.#nextOffset = this.#nextOffset >= 65_534 ? 2 : this.#nextOffset + 1;
      if (!taken.has(address)) return address;
    }
    return undefined;
  }

  /** Gives each port of the Service a node port that has none yet. */
  fillNodePorts(service: Service): void {
    const ports = (service.spec.ports ?? []).filter((port) => !port.nodePort);
    if (!ports.length) return;
    const taken = this.#ports(service.metadata.uid);
    for (const port of service.spec.ports ?? []) if (port.nodePort) taken.add(port.nodePort);
    for (const port of ports) {
      for (let tries = 0; tries < 2768 && !port.nodePort; tries++) {
        const number = this.#nextPort;
        this.#nextPort = number >= 32_767 ? 30_000 : number + 1;
        if (taken.has(number)) continue;
        taken.add(number);
        port.nodePort = number;
      }
    }
  }

  /** The address of a new Service, if it cannot have it. */
  addressProblems({ metadata, spec }: Service): FieldError[] {
    const ip = spec.clusterIP;
    if (!ip || ip === 'None' || spec.type === 'ExternalName' || !isIP(ip)) return [];
    const refused = (why: string): FieldError[] => [
      invalidValue('spec.clusterIPs', [ip], `failed to allocate IP ${ip}: ${why}`),
    ];
    if (!inServiceRange(ip))
      return refused(`the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${SERVICE_RANGE}`);
    return this.#addresses(metadata.uid).has(ip) ? refused('provided IP is already allocated') : [];
  }

  /** Node ports that another Service has. */
  portProblems({ metadata, spec: { ports = [] } }: Service): FieldError[] {
    if (!ports.some((port) => port.nodePort)) return [];
    const taken = this.#ports(metadata.uid);
    return ports.flatMap(({ nodePort }, i) =>
      nodePort && taken.has(nodePort)
        ? [invalidValue(`spec.ports[${i}].nodePort`, nodePort, 'provided port is already allocated')]
        : [],
    );
  }
}
