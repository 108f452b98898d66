import type { JsonObject } from '@mediagate/contracts';
import type { openSettings } from '@mediagate/settings';

type Opened = ReturnType<typeof openSettings>;

/** A request that somebody may paste to see the system at work. */
export interface FirstRequest {
  path: string;
  body: JsonObject;
}

const USUAL: FirstRequest = {
  path: '/v1/images/generations',
  body: { model: 'imagegen-2.5-flare', prompt: 'a lighthouse at dusk' },
};
/** Where models without a route of their own are asked for; the first of them first. */
const PATHS: Readonly<Record<string, string>> = {
  'images.generations': '/v1/images/generations',
  'videos.generations': '/v1/videos/generations',
};

/** A request for a model that the configuration serves, images first; undefined: it serves none that has an example. */
export function firstRequest({ settings: { channels }, catalogue }: Opened): FirstRequest | undefined {
  const isServed = (id: string) => channels.some(({ isTest, models }) => !isTest && models.has(id));
  if (isServed(String(USUAL.body['model']))) return USUAL;
  const requests = catalogue.entries.flatMap(({ id, operation, route, synchronous, examples: [example] }) => {
    const path = route?.paths[0] ?? PATHS[operation];
    if (path === undefined || example === undefined || synchronous || !isServed(id)) return [];
    return [{ path, body: { model: id, ...example } }];
  });
  const known = Object.values(PATHS).map((path) => requests.find((request) => request.path === path));
  return [...known, ...requests].find((request) => request !== undefined);
}
