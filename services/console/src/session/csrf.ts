import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** The token that our pages send with every change and other sites cannot know. It is made of the session's token, kept nowhere. */
export function csrfOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('mediagate csrf').digest('base64url');
}

/** The page's, and that of Bull Board's own pages (`board-csrf.ts`). */
const HEADERS = ['x-csrf-token', 'x-xsrf-token'];

export function hasCsrf(request: Request, sessionToken: string): boolean {
  const right = Buffer.from(csrfOf(sessionToken));
  return HEADERS.some((name) => {
    const given = Buffer.from(request.get(name) ?? '');
    return given.length === right.length && timingSafeEqual(given, right);
  });
}
