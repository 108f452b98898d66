import { createStream } from 'rotating-file-stream';

export interface LogFile {
  write(line: string): void;
  /** Resolves when everything is in the file. */
  close(): Promise<void>;
}

export interface LogFileOptions {
  folder: string;
  name: string;
  /** The file goes aside as `<name>.1` once it is larger, and a new one begins. In bytes. */
  maxBytes?: number;
  /** How many are kept aside. */
  keptFiles?: number;
  onError(error: Error): void;
}

const MAX_BYTES = 5_000_000;
const KEPT_FILES = 3;

/** A log that goes on where an earlier start left it, bounded in size and number of files. */
export function openLogFile({ folder, name, onError, ...limits }: LogFileOptions): LogFile {
  const { maxBytes = MAX_BYTES, keptFiles = KEPT_FILES } = limits;
  const stream = createStream(name, { path: folder, size: `${maxBytes}B`, rotate: keptFiles, mode: 0o600 });
  stream.on('error', onError);
  stream.on('warning', onError);
  return {
    write: (line) => void stream.write(`${line}\n`),
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}
