import { text } from 'node:stream/consumers';
import type { JsonObject } from '@mediagate/contracts';
import type { CallContext, Moderator, TextUpstream } from '@mediagate/upstreams';
import type { PlannedJob } from './plan-jobs';
import { type JobRun, secondsSince } from './run-job';

/* Jobs that no worker runs: texts, which callers wait for, and reviews. Neither has fixtures of the adapters' shape. */

export async function runText(
  { input, endpoint, entry, mostNano }: PlannedJob,
  upstream: TextUpstream,
): Promise<JobRun> {
  const startedAt = performance.now();
  const context = { endpoint, signal: AbortSignal.timeout(entry.deadlineMs) };
  const body = Buffer.from(JSON.stringify(input));
  const reply = await upstream.call({ method: 'generateContent', sse: false, body, json: input }, context);
  const found = reply.kind === 'answer' ? await describeText(reply.body) : refused(reply.fault);
  return { ...found, seconds: secondsSince(startedAt), costNano: mostNano, steps: [] };
}

async function describeText(body: Parameters<typeof text>[0]): Promise<Pick<JobRun, 'isGood' | 'detail'>> {
  const answer = JSON.parse(await text(body)) as JsonObject;
  const { candidates, modelVersion } = answer;
  const isGood = Array.isArray(candidates) && candidates.length > 0;
  const model = typeof modelVersion === 'string' ? `, answered by ${modelVersion}` : '';
  return { isGood, detail: (isGood ? 'a text' : 'no text') + model };
}

/** Reviews cost nothing. */
export async function runReview(moderator: Moderator, context: CallContext): Promise<JobRun> {
  const startedAt = performance.now();
  const verdict = await moderator.moderate({ prompt: 'A lighthouse at dusk', imageUrls: [] }, context);
  const found =
    verdict.kind === 'refused' ? refused(verdict.fault) : { isGood: true, detail: `a verdict: ${verdict.kind}` };
  return { ...found, seconds: secondsSince(startedAt), costNano: 0n, steps: [] };
}

function refused({ code, detail }: { code: string; detail: string }): Pick<JobRun, 'isGood' | 'detail'> {
  return { isGood: false, detail: `${code}: ${detail}` };
}
