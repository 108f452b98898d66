import { bodyCheck, jsonReader } from '../vendor-call/json-body';
import type { SunoRequest } from './fields';
import { invalid } from './wire';

/** Texts and links only. */
const MAX_BODY_BYTES = 256 * 1024;

export const readJsonBody = jsonReader(MAX_BODY_BYTES, () => invalid('The request body is not valid JSON'));

export const compileBody = (properties: Record<string, object>, required: (keyof SunoRequest)[]) =>
  bodyCheck<object, string, SunoRequest>({ properties, required }, invalid);
