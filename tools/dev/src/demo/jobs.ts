import { FAMILIES, FAMILY_TRAITS, type Family } from '@mediagate/contracts';

/** A job that the demo runs. */
export type DemoJob = AsyncJob | SynchronousJob;

interface Job {
  family: Family;
  model: string;
  /** That does its work, or the process that does it for this one. */
  service: string;
  path: string;
  body: Record<string, unknown>;
}

/** Acknowledged at once, then polled. */
export interface AsyncJob extends Job {
  synchronous?: never;
  /** The links in a finished task's `result`. */
  links(result: Record<string, unknown>): string[];
}

/** Answered while the caller waits. */
export interface SynchronousJob extends Job {
  synchronous: true;
  /** Describes the answer in a few words. */
  show(contentType: string, answer: Buffer): string;
}

/** A job without its family and service; the service is the family's worker, or the API where it has none. */
type FamilyJob = Omit<AsyncJob, 'family' | 'service'> | Omit<SynchronousJob, 'family' | 'service'>;

const JOBS: Readonly<Record<Family, FamilyJob>> = {
  image: {
    path: '/v1/images/generations',
    model: 'imagegen-2.5-flare',
    body: {
      model: 'imagegen-2.5-flare',
      prompt: 'A lighthouse on a cliff at dusk, its beam over a calm sea',
      size: '16:9',
      resolution: '2k',
      quality: 'medium',
    },
    links: (result) => elements(result['images']).flatMap((image) => strings(image['url'])),
  },
  video: {
    path: '/v1/videos/generations',
    model: 'videoa-3.0-video',
    body: {
      model: 'videoa-3.0-video',
      prompt: 'A kite over a beach, seen from below',
      resolution: '480P',
      duration: 2,
    },
    links: (result) => elements(result['videos']).flatMap((video) => strings(video['url'])),
  },
  music: {
    path: '/v1/music/generations',
    model: 'musicgen',
    body: { model: 'musicgen', gpt_description: 'A calm waltz for a rainy evening' },
    links: (result) => elements(result['music']).flatMap((track) => strings([track['audio_url']])),
  },
  imgtool: {
    path: '/v1/imgtool/generations',
    model: 'imgtool',
    body: { model: 'imgtool', prompt: 'A fox in the snow --ar 3:2' },
    links: (result) => strings(result['image_urls']),
  },
  tts: {
    model: 'ttsmodel-mini',
    path: '/v1/audio/speech',
    body: {
      model: 'ttsmodel-mini',
      voice: 'alloy',
      response_format: 'mp3',
      input: 'The lighthouse keeper counts the ships that come home.',
    },
    synchronous: true,
    show: (contentType, audio) => `${contentType}, ${Math.ceil(audio.length / 1024)} KiB`,
  },
  text: {
    model: 'text-2.5-flash',
    path: '/v1beta/models/text-2.5-flash:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'Name three things that a lighthouse keeper does.' }] }] },
    synchronous: true,
    show: (_contentType, answer) => firstText(JSON.parse(answer.toString('utf8'))),
  },
};

export const DEMO_JOBS: readonly DemoJob[] = FAMILIES.map((family) => ({
  family,
  service: FAMILY_TRAITS[family].hasWorker ? family : 'api',
  ...JOBS[family],
}));

const SHOWN_CHARACTERS = 60;

/** The beginning of the model's answer. */
function firstText(answer: { data: { candidates: { content: { parts: { text?: string }[] } }[] } }): string {
  const text = answer.data.candidates[0]?.content.parts.map((part) => part.text ?? '').join('') ?? '';
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

function elements(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((element) => typeof element === 'object' && element !== null) : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : [];
}
