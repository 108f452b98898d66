import type { TextDialect } from '../create-text';
import { readResponseRequest } from './response-request';

/** Fields of the native body by the names that responses have for them. */
const FIELDS: Readonly<Record<string, string>> = {
  contents: 'input',
  'generationConfig.maxOutputTokens': 'max_output_tokens',
  'generationConfig.temperature': 'temperature',
  'generationConfig.topP': 'top_p',
  'generationConfig.responseJsonSchema': 'text.format',
};

export const RESPONSES: TextDialect = { read: readResponseRequest, fieldOf: (name) => FIELDS[name] ?? name };
