import type { Done, Json, Output, Refused, Usage } from '@mediagate/contracts';
import { decimal, httpUrl, present } from '../json-guards';
import { readUsage } from '../openai-images/usage';
import { refused, unreadable } from '../vendor-call';
import { segmentsOf } from './request-view';
import { OUTPUT_ROLES, type OutputPlaces } from './template';

/** Where the outputs of an accepted job stand, as its operation keeps it: templates may change under way. */
export type KeptPlaces = Omit<OutputPlaces, 'keep_seconds'> & { keepSeconds?: number };

interface Reported {
  /** What the job cost, in the vendor's own units. */
  credits?: string | undefined;
  requestIds: (string | undefined)[];
}

/** What an answer holds at the places of a template. An answer without a link that can be followed is refused, and the job is asked about again. */
export function readOutput(answer: Json, places: KeptPlaces, { credits, requestIds }: Reported): Done | Refused {
  const outputs = OUTPUT_ROLES.flatMap((role) =>
    linksAt(answer, places[role]).map((url) => outputOf(role, url, places)),
  );
  if (outputs.length === 0) return refused(unreadable('no link to a result'), requestIds);
  const ids = requestIds.filter((id) => id !== undefined);
  const [length] = places.seconds === undefined ? [] : valuesAt(answer, places.seconds);
  const seconds = decimal(length);
  const images = outputs.filter(({ role }) => role === 'image').length;
  return present<Done>({
    kind: 'done',
    outputs,
    usage: {
      ...(images === 0 ? {} : { images }),
      ...tokensAt(answer, places.usage),
      // Whole frames and sound packets make a video some hundredths longer than what was asked for and is charged.
      ...(seconds === undefined ? {} : { seconds: Math.round(seconds) }),
    },
    credits,
    requestIds: ids.length === 0 ? undefined : ids,
  });
}

/** Of a vendor that passes on what OpenAI counts. */
function tokensAt(answer: Json, place: string | undefined): Usage {
  const [usage] = place === undefined ? [] : valuesAt(answer, place);
  const { images: _, ...tokens } = readUsage(usage, 0);
  return tokens;
}

function outputOf(role: (typeof OUTPUT_ROLES)[number], url: string, { keepSeconds }: KeptPlaces): Output {
  return { role, url, ...(keepSeconds === undefined ? {} : { keepSeconds }) };
}

function linksAt(answer: Json, place: string | undefined): string[] {
  if (place === undefined) return [];
  return valuesAt(answer, place).flatMap((value) => httpUrl(value) ?? []);
}

/** Every value that a pointer names, in which `*` is each item of a list. */
function valuesAt(answer: Json, pointer: string): Json[] {
  return segmentsOf(pointer).reduce<Json[]>(
    (values, segment) => values.flatMap((value) => step(value, segment)),
    [answer],
  );
}

function step(value: Json, segment: string): Json[] {
  if (Array.isArray(value)) {
    if (segment === '*') return value;
    return /^\d+$/.test(segment) ? value.slice(Number(segment), Number(segment) + 1) : [];
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return [];
  const found = value[segment];
  return found === undefined ? [] : [found];
}
