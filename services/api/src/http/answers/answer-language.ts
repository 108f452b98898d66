import { type Language, preferredLanguage } from '@mediagate/languages';
import type { Response } from 'express';

/** The language in which the caller of this answer reads our words; the answer names it where it is not English. */
export function answerLanguage(response: Response): Language {
  const language = preferredLanguage(response.req.headers['accept-language']);
  if (language !== 'en') response.setHeader('Content-Language', language);
  return language;
}
