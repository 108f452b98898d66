import type { Fault, StartOutcome } from '@mediagate/contracts';
import type { Adapter, HttpClient } from '@mediagate/upstreams';
import { judge } from './adapter';

const HEADERS_TIMEOUT_MS = 20_000;
/** Short, so that a test sees a stall end, and longer than a busy machine holds up an upstream that lives. */
const STALL_MS = 3000;
const MAX_BYTES = 100_000_000;

/** Speaks the generic upstream's other protocol, whose answers are streamed. */
export function createSynchronousAdapter(http: HttpClient): Adapter {
  return {
    protocol: 'generic-live',
    families: ['tts'],
    afterLostAnswer: 'never',
    async start({ request }, { endpoint, signal, onSent }): Promise<StartOutcome> {
      const reply = await http.stream({
        method: 'POST',
        url: `${endpoint.baseUrl}/streams`,
        signal,
        onSent,
        headers: { authorization: `Bearer ${endpoint.apiKey}`, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(request)),
        headersTimeoutMs: HEADERS_TIMEOUT_MS,
        bodyTimeoutMs: STALL_MS,
        maxBodyBytes: MAX_BYTES,
      });
      if (reply.kind === 'lost') {
        const fault: Fault = { code: reply.sent ? 'outcome_unknown' : 'not_accepted', detail: reply.why };
        return { kind: 'refused', fault };
      }
      if (reply.status === 200) return { kind: 'streaming', body: reply.body, requestIds: ['r-live'] };
      reply.body.close();
      return { kind: 'refused', fault: judge(reply.status, reply.headers['retry-after']) };
    },
  };
}
