import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of everything that is kept. Its files hold secrets, so only their owner reads them. */
export interface Home {
  path: string;
  /** Undefined when the file is not there. @throws Error when it is not JSON. */
  read<Content>(file: string): Content | undefined;
  /** Whole or not at all, also when the process dies on the way. */
  write(file: string, content: unknown): void;
  remove(file: string): void;
}

export function openHome(folder: string): Home {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true });
  // PostgreSQL, which root runs as another user, must pass through it; nobody lists it.
  chmodSync(path, process.getuid?.() === 0 ? 0o711 : 0o700);
  return {
    path,
    read<Content>(file: string) {
      const text = readIfThere(join(path, file));
      if (text === undefined) return undefined;
      try {
        return JSON.parse(text) as Content;
      } catch (cause) {
        throw new Error(`${join(path, file)} is damaged: remove it and start again.`, { cause });
      }
    },
    write(file, content) {
      const unfinished = join(path, `${file}.${process.pid}`);
      writeFileSync(unfinished, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(unfinished, join(path, file));
    },
    remove: (file) => rmSync(join(path, file), { force: true }),
  };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
