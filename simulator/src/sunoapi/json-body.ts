import { bodyCheck, jsonReader } from '../vendor-call/json-body';
import type { SunoapiRequest } from './fields';
import { invalid } from './wire';

/** Texts and links only. */
const MAX_BODY_BYTES = 256 * 1024;

export const readJsonBody = jsonReader(MAX_BODY_BYTES, () => invalid('The request parameters are incorrect'));

export const compileBody = (properties: Record<string, object>, required: (keyof SunoapiRequest)[]) =>
  bodyCheck<object, string, SunoapiRequest>({ properties, required }, invalid);
