import {
  type CancelOutcome,
  type CheckOutcome,
  type Fault,
  isJsonObject,
  type JsonObject,
  message,
  type Output,
  type Refused,
  type Started,
  type StartOutcome,
  type Usage,
} from '@mediagate/contracts';
import type { Adapter, CallContext, HttpClient, LookupOutcome, NextStage } from '@mediagate/upstreams';

export type AfterLostAnswer = Adapter['afterLostAnswer'];

const CHECK_AFTER_MS = 50;
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 100_000;

const UNKNOWN_WORD: Fault = { code: 'operator', detail: 'a state that nobody wrote down', everyTime: true };
const MISPLACED: Fault = { code: 'operator', detail: 'nothing where the result was to be', everyTime: true };
const NO_MONEY: Fault = { code: 'operator', detail: 'no money for the next stage' };

/**
 * Speaks the generic upstream's protocol, `generic-never`, `generic-idempotent` or `generic-lookup` by what it makes of
 * the attempt's id: nothing, an idempotency key that the upstream enforces, or a reference that it can be asked for.
 */
export function createGenericAdapter(http: HttpClient, afterLostAnswer: AfterLostAnswer): Adapter {
  const call = callWith(http);
  return {
    protocol: `generic-${afterLostAnswer}`,
    families: ['tts'],
    afterLostAnswer,
    fileRoles: new Set(['image']),
    credentials: { show: ({ endpoint: { apiKey } }) => ({ ok: true, headers: { authorization: `Bearer ${apiKey}` } }) },
    // `most`: characters of a label.
    lacks({ request: { label = '' }, endpoint: { options } }) {
      const isLonger = typeof options['most'] === 'number' && String(label).length > options['most'];
      return isLonger ? { message: message('takes_characters', { limit: 20 }), part: 'label' } : undefined;
    },

    ...(afterLostAnswer === 'never' && {
      async startNext({ next }: NextStage, context: CallContext): Promise<Started | Refused> {
        const answer = await call('POST', '/jobs', { context, json: { ...next, stage: 2 } });
        if ('fault' in answer) return refused(answer.fault);
        const { id } = answer.body;
        if (typeof id !== 'string') return refused({ code: 'outcome_unknown', detail: 'no id' });
        return { kind: 'started', externalId: id, operation: { id }, checkAfterMs: CHECK_AFTER_MS };
      },
    }),

    async start({ attemptId, request, callbackUrl = '' }, context): Promise<StartOutcome> {
      const headers = afterLostAnswer === 'idempotent' ? { 'idempotency-key': attemptId } : {};
      const reference = afterLostAnswer === 'lookup' ? { client_reference: attemptId } : {};
      const answer = await call('POST', '/jobs', {
        context,
        headers,
        json: { ...request, ...reference, callback_url: callbackUrl },
      });
      if ('fault' in answer) return refused(answer.fault);
      const { id, status } = answer.body;
      if (status === 'done') return finished(answer.body);
      if (status === 'misplaced') return refused({ ...MISPLACED, code: 'outcome_unknown' });
      if (typeof id !== 'string') return refused({ code: 'outcome_unknown', detail: 'no id' });
      return {
        kind: 'started',
        externalId: id,
        operation: { id },
        checkAfterMs: CHECK_AFTER_MS,
        requestIds: [`r-${id}`],
      };
    },

    async check(operation, context): Promise<CheckOutcome> {
      const answer = await call('GET', `/jobs/${operation['id']}`, { context });
      if ('fault' in answer) return refused(answer.fault);
      const { status, progress } = answer.body;
      if (status === 'done') return finished(answer.body);
      const charged = creditsIn(answer.body);
      if (status === 'failed') {
        return refused({ code: 'generation_failed', detail: 'the upstream gave up', ...charged });
      }
      if (status === 'blocked') return refused({ code: 'content_policy', detail: 'blocked' });
      if (status === 'misplaced') return { kind: 'not_started', fault: MISPLACED };
      if (status === 'unknown_word') return refused(UNKNOWN_WORD);
      if (status === 'not_started') return { kind: 'not_started', fault: { ...NO_MONEY, ...charged } };
      if (status === 'stage_done') return { kind: 'stage_done', next: { label: String(answer.body['label']) } };
      const phase = status === 'running' || status === 'parked' ? status : 'queued';
      return { kind: 'pending', phase, progress: Number(progress), checkAfterMs: CHECK_AFTER_MS };
    },

    ...(afterLostAnswer === 'idempotent' && {
      async cancel(operation: JsonObject, context: CallContext): Promise<CancelOutcome> {
        const answer = await call('POST', `/jobs/${operation['id']}/cancel`, { context });
        if ('fault' in answer) return refused(answer.fault);
        const { status, usage } = answer.body;
        if (status !== 'cancelled') return { kind: 'too_late' };
        const charged = { ...creditsIn(answer.body), ...(isJsonObject(usage) && { usage: usage as Usage }) };
        return { kind: 'cancelled', requestIds: ['r-cancel'], ...charged };
      },
    }),

    async lookup(attemptId, context): Promise<LookupOutcome> {
      const answer = await call('GET', `/jobs?client_reference=${attemptId}`, { context });
      if ('fault' in answer) return { kind: 'refused', fault: answer.fault };
      const [job] = answer.body['jobs'] as JsonObject[];
      if (!job) return { kind: 'absent' };
      const id = String(job['id']);
      return { kind: 'found', externalId: id, operation: { id }, checkAfterMs: CHECK_AFTER_MS };
    },
  };
}

/** Believes whatever the upstream says: the runtime has to find out lies. */
function finished(body: JsonObject) {
  const links = Array.isArray(body['outputs']) ? body['outputs'].map(String) : [];
  const isGrid = body['grid'] === true;
  const needsKey = body['keyed'] === true;
  const role = body['role'] === 'audio' ? 'audio' : 'image';
  const outputs: Output[] = links.map((url) => ({ role, url, isGrid, needsKey }));
  return { kind: 'done' as const, outputs, usage: body['usage'] as Usage, ...creditsIn(body) };
}

function creditsIn({ credits }: JsonObject): { credits?: string } {
  return typeof credits === 'string' ? { credits } : {};
}

const refused = (fault: Fault): Refused => ({ kind: 'refused', fault });

interface Call {
  context: CallContext;
  headers?: Record<string, string>;
  json?: JsonObject;
}

const callWith =
  (http: HttpClient) =>
  async (method: 'GET' | 'POST', path: string, { context, headers, json }: Call) => {
    const { baseUrl, apiKey } = context.endpoint;
    const reply = await http.send({
      method,
      url: `${baseUrl}${path}`,
      signal: context.signal,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(json === undefined ? {} : { body: { json } }),
    });
    if (reply.kind === 'lost') {
      return { fault: { code: reply.sent ? 'outcome_unknown' : 'not_accepted', detail: reply.why } satisfies Fault };
    }
    if (reply.status >= 300) return { fault: judge(reply.status, reply.headers['retry-after']) };
    if (reply.body.kind !== 'json' || !isJsonObject(reply.body.value)) {
      return { fault: { code: 'outcome_unknown', detail: 'unreadable' } satisfies Fault };
    }
    return { body: reply.body.value };
  };

export function judge(status: number, retryAfter: string | undefined): Fault {
  const detail = `status ${status}`;
  const retryAfterMs = retryAfter === undefined ? {} : { retryAfterMs: Number(retryAfter) * 1000 };
  switch (status) {
    case 400:
      return { code: 'bad_request', detail, message: message('foreign', { text: 'The prompt is not one.' }) };
    case 401:
      return { code: 'operator', detail };
    case 410:
      return { code: 'operator', detail, ofModel: true };
    case 422:
      return { code: 'content_policy', detail };
    case 429:
      return { code: 'rate_limited', detail, ...retryAfterMs };
    case 501:
      return { code: 'cannot_carry', detail, message: message('no_such_operation') };
    case 503:
      return { code: 'not_accepted', detail, ...retryAfterMs };
    default:
      return { code: 'upstream_fault', detail };
  }
}
