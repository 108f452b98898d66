import type { NextFunction, Request, Response } from 'express';

const FOREIGN_STYLE = /<link href="https:[^>]*>/g;

/** The board's document asks another origin for letters, which the policy refuses: its theme names those of the page. */
export function leaveFontsOut(_request: Request, response: Response, next: NextFunction): void {
  const send = response.send.bind(response);
  response.send = (body: unknown) => send(typeof body === 'string' ? body.replace(FOREIGN_STYLE, '') : body);
  next();
}
