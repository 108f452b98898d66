import type { Probe, Sighting } from '../contract';
import type { HttpClient } from '../http-client';
import { count, list, object, text } from '../json-guards';
import { createProbe, seenModels } from '../probe';
import { speechErrors } from './errors';
import { elevenLabsKey } from './wire';

/** Asks what is left of the credits, and for the list of models, in which those of music and sounds do not stand. */
export function createElevenLabsProbe(http: HttpClient): Probe {
  const askAccount = createProbe(http, {
    path: () => '/user/subscription',
    credentials: elevenLabsKey,
    dialect: speechErrors,
    read({ character_limit: limit, character_count: used }) {
      const [all, gone] = [count(limit), count(used)];
      return all === undefined || gone === undefined ? {} : { balance: String(Math.max(0, all - gone)) };
    },
  });
  const askModels = createProbe(http, {
    path: () => '/models',
    credentials: elevenLabsKey,
    dialect: speechErrors,
    isList: true,
    read: ({ items }, { models }) => speechModels(models, items),
  });
  return async (place) => {
    const account = await askAccount(place);
    if (account.key !== 'taken') return account;
    const { models } = await askModels(place);
    return models === undefined ? account : { ...account, models };
  };
}

function speechModels(wanted: readonly string[], items: unknown): Pick<Sighting, 'models'> {
  const ids = (list(items) ?? []).flatMap((model) => text(object(model)['model_id']) ?? []);
  const listed = new Map(ids.map((id) => [id, undefined]));
  return seenModels(
    wanted.filter((name) => listed.has(name) || !/^music_|text_to_sound/.test(name)),
    listed,
  );
}
