import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { NOT_FOUND, refuse } from '../http/refuse';

/** The build names the files in this directory by their content. */
const NAMED_BY_CONTENT = /^\/static\//;
const DOCUMENT = '/index.html';
/** The compressed copies that the build writes beside each text, the shortest first. */
const COPIES = [
  { encoding: 'br', extension: '.br' },
  { encoding: 'gzip', extension: '.gz' },
];

/**
 * The page: its files, and its one document for whatever a browser opens by itself, because the page finds its own way. Requests of
 * the page's code, which ask for no document, go on.
 *
 * @param directory of the build; its files are those that are there now.
 */
export function servePage(directory: string): RequestHandler {
  const files = filesBelow(directory);
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const wantsDocument = request.headers.accept?.includes('text/html') ?? false;
    const path = files.has(request.path) ? request.path : DOCUMENT;
    if (path === DOCUMENT && !wantsDocument) return next();
    if (!files.has(path)) return refuse(response, { ...NOT_FOUND, message: 'The page was not built.' });
    send(path, { directory, files, request, response });
  };
}

/** The files below a directory, as paths of addresses. */
function filesBelow(directory: string): ReadonlySet<string> {
  if (!existsSync(directory)) return new Set();
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(files.map((entry) => `/${relative(directory, join(entry.parentPath, entry.name))}`));
}

interface Sending {
  directory: string;
  files: ReadonlySet<string>;
  request: Request;
  response: Response;
}

function send(path: string, { directory, files, request, response }: Sending): void {
  const there = COPIES.filter(({ extension }) => files.has(`${path}${extension}`));
  const copy = there.find(({ encoding }) => request.acceptsEncodings(encoding) === encoding);
  if (there.length > 0) response.vary('Accept-Encoding');
  if (copy) response.setHeader('Content-Encoding', copy.encoding);
  if (NAMED_BY_CONTENT.test(path)) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  response.type(path.slice(path.lastIndexOf('.')));
  response.sendFile(`${path}${copy?.extension ?? ''}`, { root: directory, cacheControl: false });
}
