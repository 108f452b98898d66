import type { RequestHandler, RouterOptions } from 'express';
import { NOT_FOUND, refuse } from './refuse';

/** Every router of the console: a path is judged by its letters, and must be that of a route by its letters. */
export const EXACT: RouterOptions = { caseSensitive: true, strict: true };

/**
 * Answers 404 to a path that somebody further on would read as another one: with dots, backslashes, empty segments or NUL, encoded or
 * not.
 */
export const requireExactPath: RequestHandler = ({ path }, response, next) => {
  const read = URL.parse(path, 'http://console')?.pathname;
  if (read === path && !path.includes('//') && !path.includes('%00')) next();
  else refuse(response, NOT_FOUND);
};
