import { lookAtSecretFile } from '@mediagate/settings';

/** A file system that answers more slowly than that holds no look up. */
const READ_LIMIT_MS = 500;

/** Follows the texts of files that hold secrets, so that a new one is noticed. */
export class SecretFiles {
  readonly #look: typeof lookAtSecretFile;
  readonly #texts = new Map<string, string>();
  /** A read that hangs is not begun again: it would take one thread of the process after the other. */
  readonly #reading = new Map<string, Promise<void>>();

  constructor(look = lookAtSecretFile) {
    this.#look = look;
  }

  /** One text that changes when one of the files does. A file that is not read in time counts as it was. */
  async read(paths: Iterable<string>): Promise<string> {
    const wanted = [...new Set(paths)];
    await settledWithin(READ_LIMIT_MS, Promise.all(wanted.map((path) => this.#read(path))));
    return wanted.map((path) => this.#texts.get(path) ?? '').join('\0');
  }

  #read(path: string): Promise<void> {
    const begun = this.#reading.get(path);
    if (begun !== undefined) return begun;
    const reading = this.#look(path).then((text) => {
      this.#texts.set(path, text ?? '');
      this.#reading.delete(path);
    });
    this.#reading.set(path, reading);
    return reading;
  }
}

/** @param work never rejects. */
function settledWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
