import type { Canvas } from '../media/drawing';
import type { Call, JsonObject } from '../vendor-call/contract';
import { checkPrompt, compileBody, field, photoOf, photoOfBase64 } from './body';
import { detailOf, freshSubmit, type NewTask, wordsOf } from './booking';
import { seedOf } from './image';
import type { MjTools, TaskDetail } from './task';
import { DEFAULT_NIJI, DEFAULT_VERSION } from './version';
import { invalid } from './wire';

/** The submits whose results are texts: of an image, or of a longer text. */
export function createTextSubmits(tools: MjTools) {
  return {
    describe: freshSubmit((body, call) => describe(body, call, tools), tools),
    shorten: freshSubmit(async (body, call) => shorten(body, call), tools),
  };
}

const checkDescribe = compileBody({ base64: field.image, link: field.image }, []);

async function describe(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkDescribe(body, call);
  const { base64, link } = request;
  if (base64 === undefined && link === undefined) throw invalid('base64 or link is required');
  const photo = await (base64 === undefined
    ? photoOf('link', link ?? '', tools)
    : photoOfBase64('base64', base64, tools));
  const task: NewTask = {
    action: 'DESCRIBE',
    prompt: '',
    fullPrompt: numbered(captionsOf(photo)),
    description: '/describe',
    version: request.botType === 'NIJI_JOURNEY' ? DEFAULT_NIJI : DEFAULT_VERSION,
    seed: seedOf(photo.width, photo.height),
    work: { kind: 'texts' },
  };
  return detailOf(task, request, call);
}

/** Share of the words that each of the texts keeps. */
const KEPT_SHARES = [0.8, 0.6, 0.4, 0.25, 0.1];

const checkShorten = compileBody({ prompt: field.prompt }, ['prompt']);

function shorten(body: JsonObject, call: Call): TaskDetail {
  const request = checkShorten(body, call);
  const read = checkPrompt(request.prompt, request);
  const all = read.words.split(/\s+/).filter(Boolean);
  if (all.length === 0) throw invalid('prompt cannot be empty');
  // The longer ones stay.
  const byLength = [...all].sort((one, other) => other.length - one.length);
  const texts = KEPT_SHARES.map((part) => {
    const kept = byLength.slice(0, Math.max(1, Math.round(all.length * part)));
    return all.filter((word) => kept.includes(word)).join(' ');
  });
  const words = { ...wordsOf(read, 'shorten'), fullPrompt: numbered(texts) };
  return detailOf({ action: 'SHORTEN', ...words, work: { kind: 'texts' } }, request, call);
}

/** Four captions of an image, which its shape tells. */
function captionsOf({ width, height }: Canvas): string[] {
  const ratio = `${Math.round((width / height) * 100)}:100`;
  return ['image', 'study', 'composition', 'view'].map(
    (kind, index) => `A ${kind} of ${width}x${height} pixels, take ${index + 1} --ar ${ratio}`,
  );
}

/** Texts as the vendor writes them into one. */
function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}️⃣ ${text}`).join('\n\n');
}
