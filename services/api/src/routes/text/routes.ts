import type { Route } from '../../http/route';
import { bucketOf, type CallTextDeps, createCallText } from './call-text';
import { createGetTextModel, createListTextModels } from './list-models';

/** First words of the paths that answer, and fail, in the vendor's own way. */
export const NATIVE_PREFIXES = ['/v1beta', '/gemini'] as const;

/** Older releases of the vendor's client take the first version where nobody chooses one, newer ones the second. */
const CLIENT_PREFIXES = ['/gemini/v1beta', '/gemini/v1'] as const;

/** The native text endpoint; under `/gemini` without the wrapper, so that the vendor's own client works. */
export function createTextRoutes(deps: CallTextDeps): Route[] {
  const native = { auth: 'key', errors: 'native', keyHeader: 'x-goog-api-key', family: 'text' } as const;
  const post = { ...native, method: 'post', bucket: bucketOf } as const;
  const get = { ...native, method: 'get', bucket: 'query' } as const;
  const callPlainly = createCallText(deps, { wrapped: false });
  const listModels = createListTextModels(deps);
  const getModel = createGetTextModel(deps);
  return [
    { ...post, path: '/v1beta/models/:call', handle: createCallText(deps, { wrapped: true }) },
    ...CLIENT_PREFIXES.flatMap((prefix): Route[] => [
      { ...post, path: `${prefix}/models/:call`, handle: callPlainly },
      { ...get, path: `${prefix}/models`, handle: listModels },
      { ...get, path: `${prefix}/models/:call`, handle: getModel },
    ]),
  ];
}
