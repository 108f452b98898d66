import { queryOptions } from '@tanstack/react-query';
import { dataQuery } from '../../api/data-query.ts';
import { type Answers, ask } from '../../api/gateway.ts';
import { CHAT_PATH } from '../../parts/chat-as-code.ts';
import { CHAT } from './chat.ts';
import type { Operation } from './operation.ts';

export type Model = Answers['listModels']['data'][number];

const CATALOGUE_MS = 600_000;

export const modelsQuery = dataQuery<Model[]>(['models'], '/models', { staleTime: CATALOGUE_MS });

/** The operations of a model that have a path of their own, with their schemas. */
export function operationsQuery(model: string) {
  return queryOptions({
    queryKey: ['models', model],
    queryFn: async ({ signal }) => {
      const { data } = await ask<Answers['getModel']>(`/models/${encodeURIComponent(model)}`, { signal });
      const operations = (data.operations ?? [data]) as unknown as Operation[];
      const offered = operations.filter(({ operation }) => pathOf(operation) !== undefined);
      return offered.map((one) => (one.operation === 'text.generate' ? CHAT : one));
    },
    staleTime: CATALOGUE_MS,
  });
}

/** Models by family, each once. */
export function modelChoices(models: readonly Model[]) {
  const offered = models.filter(({ available, operation }) => available && pathOf(operation) !== undefined);
  return [...Map.groupBy(offered, ({ family }) => family)].map(([group, members]) => ({
    group,
    items: [...new Set(members.map(({ id }) => id))],
  }));
}

const PATHS: Readonly<Record<string, string>> = {
  'images.generations': '/v1/images/generations',
  'videos.generations': '/v1/videos/generations',
  'audio.speech': '/v1/audio/speech',
  'music.create': '/v1/music/generations',
  'music.adjust-speed': '/v1/music/generations/adjustSpeed',
  'imgtool.imagine': '/v1/imgtool/generations',
  'text.generate': CHAT_PATH,
};
const WITHOUT_PATH = new Set(['imgtool.shorten']);

/** Where an operation is submitted. */
export function pathOf(operation: string): string | undefined {
  if (WITHOUT_PATH.has(operation)) return undefined;
  const [family = '', name = ''] = operation.split('.');
  return PATHS[operation] ?? `/v1/${family}/generations/${name}`;
}
