import type { Connection } from './connection.ts';
import { dataOf } from './data-of.ts';
import { entriesOf } from './pages.ts';
import type { FileFilter, FileOrigin, FileRecord } from './types.ts';
import { type FileContent, uploadFile, verifyFile } from './upload-file.ts';

type Abortable = { signal?: AbortSignal };

/** Files of the account, and links of the gateway. */
export interface FileMethods {
  /** Keeps an image, audio, video or document for 72 hours. Its `id` goes wherever a submission takes a URL. */
  uploadFile(content: FileContent, options?: Abortable): Promise<FileRecord>;
  getFile(fileId: string, options?: Abortable): Promise<FileRecord>;
  /** The account's files, the newest first. Pages are asked for as they are needed. */
  listFiles(filter?: FileFilter & Abortable): AsyncIterable<FileRecord>;
  /** Its bytes, its id and its link end. */
  deleteFile(fileId: string, options?: Abortable): Promise<void>;
  /** Answers what a file states about its origin, and the results that it resembles. Nothing of it is kept. */
  verifyFile(content: FileContent | { url: string }, options?: Abortable): Promise<FileOrigin>;
  /** A result or a file by its link, without the key: an answer of `fetch`, whose body may take as long as it likes. */
  downloadFile(url: string, options?: Abortable): Promise<Response>;
}

export function createFileMethods(connection: Connection): FileMethods {
  return {
    uploadFile: (content, how) => uploadFile(connection, content, how),
    getFile: (fileId, how) => dataOf(connection.ask({ method: 'GET', path: filePath(fileId), ...how })),
    listFiles: ({ signal, ...filter } = {}) =>
      entriesOf((cursor) =>
        connection.ask({ method: 'GET', path: '/v1/files', query: { ...filter, ...cursor }, signal }),
      ),
    async deleteFile(fileId, how) {
      await connection.ask({ method: 'DELETE', path: filePath(fileId), ...how });
    },
    verifyFile: (content, how) => verifyFile(connection, content, how),
    downloadFile: (url, how) => connection.open({ method: 'GET', path: url, ...how }),
  };
}

function filePath(fileId: string): string {
  return `/v1/files/${encodeURIComponent(fileId)}`;
}
