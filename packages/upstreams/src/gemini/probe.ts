import type { Probe } from '../contract';
import type { HttpClient } from '../http-client';
import { list, object, text } from '../json-guards';
import { createProbe, seenModels } from '../probe';
import { geminiErrors } from './errors';
import { geminiHeaders } from './wire';

/** The list of models, whose names begin with `models/`, in one page. */
export function createGeminiProbe(http: HttpClient): Probe {
  return createProbe(http, {
    path: () => '/models?pageSize=1000',
    headers: geminiHeaders,
    dialect: geminiErrors,
    read(body, { models }) {
      const names = (list(body['models']) ?? []).flatMap((model) => text(object(model)['name']) ?? []);
      return { models: seenModels(models, new Map(names.map((name) => [name.replace(/^models\//, ''), undefined]))) };
    },
  });
}
