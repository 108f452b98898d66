import type { JsonObject } from '@mediagate/contracts';
import type { Credentials, Endpoint, Probe } from './contract';
import { isVertex } from './gemini-call';
import { geminiErrors } from './gemini-errors';
import type { HttpClient } from './http-client';
import { list, object, text } from './json-guards';
import { createProbe, seenModels } from './probe';

/** The list of models, in one page where it fits: what is on no page that was read is not known to be missing. */
export function createGeminiProbe(http: HttpClient, credentials: Credentials): Probe {
  return createProbe(http, {
    base: modelsBase,
    path: () => '/models?pageSize=1000',
    credentials,
    dialect: geminiErrors,
    read(body, { models }) {
      const names = namesIn(body);
      const isWhole = text(body['nextPageToken']) === undefined;
      if (!isWhole && models.some((model) => !names.has(model))) return {};
      return seenModels(models, names);
    },
  });
}

/** Vertex lists the models of their maker under no project (`@google/genai` 3.1.0, which leaves it out). */
function modelsBase({ baseUrl }: Endpoint): string {
  return isVertex({ baseUrl }) ? baseUrl.replace(/\/projects\/[^/]+\/locations\/[^/]+(?=\/publishers\/)/, '') : baseUrl;
}

/** They begin with `models/`, and at Vertex with `publishers/google/models/`. */
function namesIn(body: JsonObject): Map<string, undefined> {
  const listed = list(body['models']) ?? list(body['publisherModels']) ?? [];
  const names = listed.flatMap((model) => text(object(model)['name']) ?? []);
  return new Map(names.map((name) => [name.replace(/^(?:publishers\/google\/)?models\//, ''), undefined]));
}
