import type { ApiKeyParts } from '../keys/api-key';

type TokenParts = Pick<ApiKeyParts, 'id' | 'secret'>;

/** `mgo_<public id>_<secret>`: made as an API key is, and never taken for one. */
const PATTERN = /^mgo_([0-9a-hjkmnp-tv-z]{12})_([0-9a-f]{64})$/;

export function formatOperatorToken({ id, secret }: TokenParts): string {
  return `mgo_${id}_${secret}`;
}

/** Undefined for whatever cannot be a token, before anything is looked up. */
export function parseOperatorToken(text: string): TokenParts | undefined {
  const [, id, secret] = PATTERN.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}
