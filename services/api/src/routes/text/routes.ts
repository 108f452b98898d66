import type { Route } from '../../http/route';
import { bucketOf, type CallTextDeps, createCallText } from './call-text';
import { createGetTextModel, createListTextModels } from './list-models';

/** First words of the paths that answer, and fail, in the vendor's own way. */
export const NATIVE_PREFIXES = ['/v1beta', '/gemini'] as const;

/** The native text endpoint; under `/gemini` without the wrapper, so that the vendor's own client works. */
export function createTextRoutes(deps: CallTextDeps): Route[] {
  const native = { auth: 'key', errors: 'native', keyHeader: 'x-goog-api-key', family: 'text' } as const;
  const post = { ...native, method: 'post', bucket: bucketOf } as const;
  const get = { ...native, method: 'get', bucket: 'query' } as const;
  return [
    { ...post, path: '/v1beta/models/:call', handle: createCallText(deps, { wrapped: true }) },
    { ...post, path: '/gemini/v1beta/models/:call', handle: createCallText(deps, { wrapped: false }) },
    { ...get, path: '/gemini/v1beta/models', handle: createListTextModels(deps) },
    { ...get, path: '/gemini/v1beta/models/:call', handle: createGetTextModel(deps) },
  ];
}
