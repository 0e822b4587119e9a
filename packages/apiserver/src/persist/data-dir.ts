import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What makes kubeconfigs and tokens outlive a restart. PEM. */
export interface Keys {
  readonly ca?: { readonly cert: string; readonly key: string };
  readonly tokens: string;
}

/** A folder that keeps the state of one server: keys, snapshot, log. One server at a time. */
export class DataDir {
  readonly path: string;
  readonly #lock: string;

  /** Makes the folder if need be and takes it; throws when another live server has it. */
  constructor(path: string) {
    this.path = path;
    this.#lock = join(path, 'lock');
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.#take();
  }

  file(name: string): string {
    return join(this.path, name);
  }

  readKeys(): Keys | undefined {
    const file = this.file('keys.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Keys) : undefined;
  }

  writeKeys(keys: Keys): void {
    this.replace('keys.json', JSON.stringify(keys));
  }

  /** Writes a file as a whole or not at all, readable by its owner only. */
  replace(name: string, content: string): void {
    const temporary = this.file(`${name}.new`);
    writeFileSync(temporary, content, { mode: 0o600, flush: true });
    renameSync(temporary, this.file(name));
  }

  close(): void {
    rmSync(this.#lock, { force: true });
  }

  #take(): void {
    for (let tries = 0; ; tries++) {
      try {
        const fd = openSync(this.#lock, 'wx', 0o600);
        writeFileSync(fd, String(process.pid));
        closeSync(fd);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const holder = Number(readFileSync(this.#lock, 'utf8'));
        if (tries > 0 || isAlive(holder)) {
          throw new Error(
            `the data folder ${this.path} is used by process ${holder}; stop that server or choose another folder`,
            { cause: error },
          );
        }
        // Left behind by a server that was killed.
        rmSync(this.#lock, { force: true });
      }
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
