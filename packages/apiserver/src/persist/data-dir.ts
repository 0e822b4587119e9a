import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, processMark } from './process-mark.js';

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
    makeFolder(path);
    this.#take();
  }

  file(name: string): string {
    return join(this.path, name);
  }

  readKeys(): Keys | undefined {
    const file = this.file('keys.json');
    if (!existsSync(file)) return undefined;
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Keys;
    } catch {
      // The parser's own message stays out: it quotes the text, which holds private keys.
      throw new Error(
        `${file} cannot be read as JSON; restore the folder from a copy, or remove this file: the server then makes new ` +
          'keys, and kubeconfigs and tokens given out before are no longer accepted',
      );
    }
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
        writeFileSync(fd, processMark());
        closeSync(fd);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const holder = readFileSync(this.#lock, 'utf8');
        if (tries > 0 || isRunning(holder)) {
          throw new Error(
            `the data folder ${this.path} is used by process ${holder.split(' ')[0]}; stop that server or choose another folder`,
            { cause: error },
          );
        }
        // Left behind by a server that was killed.
        rmSync(this.#lock, { force: true });
      }
    }
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`the data folder ${path} cannot be made: ${(error as Error).message}`, { cause: error });
  }
}
