import type { Request } from 'express';

const BEARER = /^Bearer +([\w-]{1,200})$/i;

/** The token of the one Authorization header; empty when there is none, more than one, or another scheme. */
export function bearerToken(request: Request): string {
  const header = request.headers.authorization;
  if (header === undefined || isRepeated(request, 'authorization')) return '';
  return BEARER.exec(header)?.[1] ?? '';
}

/** Node keeps the first of several such headers without a word; a proxy before us may have judged another. */
export function isRepeated(request: Request, name: string): boolean {
  let count = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const header = request.rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count > 1;
}
