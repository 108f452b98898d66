import type { Request, Response } from 'express';

/** A cookie for the console alone: no script reads it and no other site's page sends it. */
export interface Cookie {
  read(request: Request): string | undefined;
  write(response: Response, value: string): void;
  clear(response: Response): void;
}

export interface CookieOptions {
  secure: boolean;
  maxAgeMs: number;
  /** `lax`: sent when another site leads the browser here, too. */
  sameSite?: 'strict' | 'lax';
}

/** Over https the name has a prefix that browsers take from no other host or path, and never without `Secure`. */
export function createCookie(baseName: string, { secure, maxAgeMs, sameSite = 'strict' }: CookieOptions): Cookie {
  const name = secure ? `__Host-${baseName}` : baseName;
  const options = { httpOnly: true, sameSite, secure, path: '/' };
  return {
    read: (request) => cookieOf(request.headers.cookie ?? '', name),
    write: (response, value) => void response.cookie(name, value, { ...options, maxAge: maxAgeMs }),
    clear: (response) => void response.clearCookie(name, options),
  };
}

function cookieOf(header: string, name: string): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
