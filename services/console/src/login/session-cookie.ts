import type { Request, Response } from 'express';
import { SESSION_MAX_AGE_MS } from './sessions';

/** The cookie that carries a session's token. */
export interface SessionCookie {
  read(request: Request): string | undefined;
  write(response: Response, token: string): void;
  clear(response: Response): void;
}

/** Over https the name has a prefix that browsers take from no other host or path, and never without `Secure`. */
export function createSessionCookie({ secure }: { secure: boolean }): SessionCookie {
  const name = secure ? '__Host-mediagate-console' : 'mediagate-console';
  const options = { httpOnly: true, sameSite: 'strict', secure, path: '/' } as const;
  return {
    read: (request) => cookieOf(request.headers.cookie ?? '', name),
    write: (response, token) => void response.cookie(name, token, { ...options, maxAge: SESSION_MAX_AGE_MS }),
    clear: (response) => void response.clearCookie(name, options),
  };
}

function cookieOf(header: string, name: string): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
