import { arkErrors } from './ark-images/errors';
import type { Probe } from './contract';
import type { HttpClient } from './http-client';
import { bearer } from './job-exchange';
import { list, object, text } from './json-guards';
import { createProbe, seenModels } from './probe';

/**
 * Asks for the list of models, which has those that the account has yet to open, too, and those that have ended, by their `status`
 * (a public report of calls to BytePlus, 2026-09-02). An endpoint of the account's own is on no list.
 */
export function createArkProbe(http: HttpClient): Probe {
  return createProbe(http, {
    path: () => '/models',
    headers: bearer,
    dialect: arkErrors,
    read(body, { models }) {
      const listed = list(body['data']);
      if (listed === undefined) return {};
      const ids = listed.map(object).flatMap(({ id, status }): [string, undefined][] => {
        const name = text(id);
        return name === undefined || /^shutdown$/i.test(text(status) ?? '') ? [] : [[name, undefined]];
      });
      return seenModels(
        models.filter((model) => !model.startsWith('ep-')),
        new Map(ids),
      );
    },
  });
}
