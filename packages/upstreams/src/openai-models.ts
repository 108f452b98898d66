import type { Endpoint, Probe } from './contract';
import type { HttpClient } from './http-client';
import { list, object, present, text } from './json-guards';
import { openAiErrors } from './openai-images/errors';
import { createProbe, seenModels } from './probe';

/**
 * Asks for the list of models, as every server of this kind has it. The vendor's own list says when a model that it ends is shut
 * down (`shutdown_date`; developers.openai.com/api/docs/deprecations, November 2026).
 */
export function createOpenAiProbe(http: HttpClient): Probe {
  return createProbe(http, {
    path: ({ options }) => {
      const version = text(options['api_version']);
      return `/models${version === undefined ? '' : `?api-version=${encodeURIComponent(version)}`}`;
    },
    headers: headersOf,
    dialect: openAiErrors,
    read(body, { models, endpoint }) {
      // Deployments have names of their own, which no list of models has.
      if (endpoint.options['path'] === 'deployment') return {};
      const listed = (list(body['data']) ?? []).map(object).flatMap((model): [string, string | undefined][] => {
        const id = text(model['id']);
        return id === undefined ? [] : [[id, text(model['shutdown_date'])]];
      });
      return seenModels(models, new Map(listed));
    },
  });
}

function headersOf({ apiKey, options }: Endpoint): Record<string, string> {
  const isAzure = options['key_header'] === 'api-key';
  return present<Record<string, string>>({
    ...(isAzure ? { 'api-key': apiKey } : { authorization: `Bearer ${apiKey}` }),
    'openai-organization': text(options['organization']),
    'openai-project': text(options['project']),
  });
}
