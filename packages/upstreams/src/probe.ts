import type { Fault, JsonObject } from '@mediagate/contracts';
import type { Credentials, Endpoint, Probe, ProbePlace, SeenModel, Sighting } from './contract';
import type { ErrorDialect } from './error-dialect';
import type { Answer, HttpClient, Reply } from './http-client';
import { present } from './json-guards';
import { sendWithKey } from './send-with-key';
import { judgeAnswer, lostFault } from './vendor-call';

/** How a protocol is probed: one GET. */
export interface Question {
  path(endpoint: Endpoint): string;
  /** The URL before the path; absent: the channel's base URL. */
  base?(endpoint: Endpoint): string;
  /** Absent: `credentials` show the key. */
  headers?(endpoint: Endpoint): Record<string, string>;
  credentials?: Credentials;
  dialect: ErrorDialect;
  /** It asks about something that is not there: that the vendor says so shows that it takes the key. */
  isAboutNothing?: true;
  /** The question carries no key, so that its answer shows nothing of one. */
  isKeyless?: true;
  /** The answer is a list, which `read` finds as `items`. */
  isList?: true;
  /** Reads further findings from a success. */
  read?(body: JsonObject, place: ProbePlace): Pick<Sighting, 'models' | 'balance'>;
}

const TIMEOUT_MS = 10_000;
/** A list of some thousand models. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

export function createProbe(http: HttpClient, question: Question): Probe {
  return async (place) => {
    const { endpoint, signal } = place;
    const { credentials } = question;
    const method = 'GET';
    const url = (question.base?.(endpoint) ?? endpoint.baseUrl) + question.path(endpoint);
    const headers = question.headers?.(endpoint) ?? {};
    const reply = await sendWithKey<Reply>(credentials && { credentials, endpoint }, {
      signal,
      call: { method, url, headers, body: () => [] },
      send: (shown) =>
        http.send({
          method,
          url,
          headers: { ...headers, ...shown },
          signal,
          timeoutMs: TIMEOUT_MS,
          maxResponseBytes: ANSWER_MAX_BYTES,
        }),
    });
    if (reply.kind === 'not_shown') return withoutKey(reply.fault);
    if (reply.kind === 'lost') return { reachable: false, key: 'unproved', detail: lostFault(reply).detail };
    return judge(reply, question, place);
  };
}

/** The vendor gives no token for it, or could not be asked for one. */
function withoutKey({ code, detail }: Fault): Sighting {
  return { reachable: false, key: code === 'operator' ? 'refused' : 'unproved', detail };
}

function judge(answer: Answer, question: Question, place: ProbePlace): Sighting {
  const { status } = answer;
  const asked = question.isList ? { ...answer, body: asItems(answer.body) } : answer;
  const judged = judgeAnswer(asked, question.dialect, { apiKey: place.endpoint.apiKey });
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

function asItems(body: Answer['body']): Answer['body'] {
  return body.kind === 'json' && Array.isArray(body.value) ? { ...body, value: { items: body.value } } : body;
}

/** The models of a place as the vendor's list has them, with the day on which each ends. A list of nothing says nothing of them. */
export function seenModels(
  wanted: readonly string[],
  listed: ReadonlyMap<string, string | undefined>,
): Pick<Sighting, 'models'> {
  if (listed.size === 0) return {};
  const seen = (name: string) =>
    present<SeenModel>({ name, known: listed.has(name), servedUntil: dayOf(listed.get(name)) });
  return { models: wanted.map(seen) };
}

/** The vendor's words are stored and shown, so only a day of the calendar, with or without a time behind it, counts as a day. */
function dayOf(words: string | undefined): string | undefined {
  const day = /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/.exec(words ?? '')?.[1];
  return day === undefined || Number.isNaN(Date.parse(day)) ? undefined : day;
}

/** An id that no vendor gives. */
export const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000';
