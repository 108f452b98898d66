import type { JsonObject } from '@mediagate/contracts';
import type { Endpoint, Probe, ProbePlace, SeenModel, Sighting } from './contract';
import type { ErrorDialect } from './error-dialect';
import type { Answer, HttpClient } from './http-client';
import { present } from './json-guards';
import { judgeAnswer, lostFault } from './vendor-call';

/** How a protocol is probed: one GET. */
export interface Question {
  path(endpoint: Endpoint): string;
  headers(endpoint: Endpoint): Record<string, string>;
  dialect: ErrorDialect;
  /** It asks about something that is not there: that the vendor says so shows that it takes the key. */
  isAboutNothing?: true;
  /** The question carries no key, so that its answer shows nothing of one. */
  isKeyless?: true;
  /** What else a success shows. */
  read?(body: JsonObject, place: ProbePlace): Pick<Sighting, 'models' | 'balance'>;
}

const TIMEOUT_MS = 10_000;
/** A list of some thousand models. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

export function createProbe(http: HttpClient, question: Question): Probe {
  return async (place) => {
    const { endpoint, signal } = place;
    const reply = await http.send({
      method: 'GET',
      url: endpoint.baseUrl + question.path(endpoint),
      headers: question.headers(endpoint),
      signal,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: ANSWER_MAX_BYTES,
    });
    if (reply.kind === 'lost') return { reachable: false, key: 'unproved', detail: lostFault(reply).detail };
    return judge(reply, question, place);
  };
}

function judge(answer: Answer, question: Question, place: ProbePlace): Sighting {
  const { status } = answer;
  const judged = judgeAnswer(answer, question.dialect, { apiKey: place.endpoint.apiKey });
  const detail = `HTTP ${status}`;
  if (question.isKeyless) return { reachable: true, key: 'unproved', detail };
  if (judged.ok) {
    return present<Sighting>({ reachable: true, key: 'taken', detail, ...question.read?.(judged.body, place) });
  }
  const { code } = judged.fault;
  // Some answer with a success that holds nothing.
  const isNotThere = code === 'bad_request' || status === 404 || (status < 300 && code === 'outcome_unknown');
  if (isNotThere) return { reachable: true, key: question.isAboutNothing ? 'taken' : 'unproved', detail };
  return { reachable: true, key: code === 'operator' ? 'refused' : 'unproved', detail: judged.fault.detail };
}

/** The models of a place as the vendor's list has them. */
export function seenModels(wanted: readonly string[], listed: ReadonlyMap<string, string | undefined>): SeenModel[] {
  return wanted.map((name) => present<SeenModel>({ name, known: listed.has(name), servedUntil: listed.get(name) }));
}

/** An id that no vendor gives. */
export const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000';
