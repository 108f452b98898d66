import { IMAGES_OF_MANY_PARTS } from './images-of-many-parts';
import { ENDLESS_RUN, LYING_CUES } from './small-media';

export interface AttackBody {
  method?: 'GET';
  path: string;
  type: string;
  bytes: Buffer;
  /** Declared beyond what is sent. */
  missing?: number;
  /** Sent piece by piece with a pause, in milliseconds. */
  pieces?: { bytes: number; pauseMs: number };
}

const MIB = 1024 * 1024;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data; boundary=b';
const TEXT = '/v1beta/models/text-2.5-flash:generateContent';
/** Only the price is asked for, which an account without a penny may do. */
const CHAT = '/openai/v1/chat/completions?dry_run=true';

const jsonOf = (path: string, text: string): AttackBody => ({ path, type: JSON_TYPE, bytes: Buffer.from(text) });
const many = (before: string, item: string, mebibytes: number): string =>
  `${before}[${Array(Math.floor((mebibytes * MIB) / (item.length + 1)))
    .fill(item)
    .join(',')}]}`;
const filled = (mebibytes: number): string => Buffer.alloc(mebibytes * MIB, 0x41).toString('base64');
const part = (name: string, bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
const field = (name: string, value: string): Buffer =>
  Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
const END = Buffer.from('--b--\r\n');
const formOf = (path: string, ...parts: Buffer[]): AttackBody => ({
  path,
  type: FORM_TYPE,
  bytes: Buffer.concat([...parts, END]),
});

/** A conversation whose last turns are calls of a function, with the arguments as text, and a result of the first one. */
const chatOf = (calls: readonly string[], result = '{}'): AttackBody =>
  jsonOf(
    CHAT,
    JSON.stringify({
      model: 'text-2.5-flash',
      messages: [
        { role: 'user', content: 'Go on.' },
        {
          role: 'assistant',
          tool_calls: calls.map((text, index) => ({
            id: `c${index}`,
            type: 'function',
            function: { name: 'f', arguments: text },
          })),
        },
        { role: 'tool', tool_call_id: 'c0', content: result },
      ],
    }),
  );
/** A conversation of plain messages, the user's and the model's in turns. */
const talkOf = (messages: number, text: string): AttackBody =>
  jsonOf(
    CHAT,
    JSON.stringify({
      model: 'text-2.5-flash',
      messages: Array.from({ length: messages }, (_, turn) => ({
        role: turn % 2 === 0 ? 'user' : 'assistant',
        content: text,
      })),
    }),
  );
/** Beyond 16,384 characters names of one length are alike to the engine's table of names. */
const longNames = (mebibytes: number): string =>
  `{${Array.from({ length: Math.floor((mebibytes * MIB) / 17_000) }, (_, index) => `"${String(index).padEnd(16_990, 'n')}":1`).join(',')}}`;

/** Bodies that are dear to whoever takes them without thought. */
const BODIES = {
  'objects in an upload': () => jsonOf('/v1/uploads/images', many('{"data":"x","x":', '{}', 27)),
  'objects in a text': () => jsonOf(TEXT, many('{"contents":', '{}', 19)),
  'objects in an image': () => jsonOf('/v1/images/generations', many('{"model":"imagegen-2","x":', '{}', 7)),
  'numbers in a small body': () => jsonOf('/v1/images/generations', many('{"model":"imagegen-2","x":', '1', 0.24)),
  'quotes in an image': () => jsonOf('/v1/videos/generations', many('{"model":"videod-02","x":', '""', 27)),
  'escapes in a text': () => jsonOf(TEXT, `{"contents":[{"parts":[{"text":"${'\\u0041'.repeat(3 * MIB)}"}]}]}`),
  'a file in JSON': () => jsonOf('/v1/uploads/images', `{"data":"data:image/png;base64,${filled(20)}"}`),
  'a file in a text': () =>
    jsonOf(
      TEXT,
      `{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgoA${filled(14)}"}}]}]}`,
    ),
  'files in a form': () =>
    formOf('/v1/images/edits', ...[19, 19, 19].map((mebibytes) => part('image', Buffer.alloc(mebibytes * MIB)))),
  'boundaries in a form': () => ({
    path: '/v1/images/edits',
    type: FORM_TYPE,
    bytes: part('image', Buffer.alloc(19 * MIB, '\r\n--')),
  }),
  'a form that is held': () => ({
    path: '/v1/images/edits',
    type: FORM_TYPE,
    bytes: Buffer.concat([19, 19, 19].map((mebibytes) => part('image', Buffer.alloc(mebibytes * MIB)))),
    missing: 1000,
  }),
  'fields in a form that is held': () => ({
    path: '/v1/uploads/images',
    type: FORM_TYPE,
    bytes: Buffer.concat(Array.from({ length: 63 }, (_, index) => field(`f${index}`, `€${'a'.repeat(127_000)}`))),
    missing: 1000,
  }),
  'JSON that is held': () => ({
    ...jsonOf('/v1/uploads/images', `{"data":"data:image/png;base64,${filled(20)}`),
    missing: 1000,
  }),
  'objects in tool arguments': () => chatOf([many('{"x":', '{}', 18)]),
  'objects in many tool arguments': () => chatOf(Array(128).fill(many('{"x":', '{}', 0.06))),
  'nesting in tool arguments': () => chatOf([`{"x":${'['.repeat(300_000)}${']'.repeat(300_000)}}`]),
  'long names in tool arguments': () => chatOf([longNames(18)]),
  'objects in a tool result': () => chatOf(['{}'], many('{"x":', '{}', 18)),
  'a long text in tool arguments': () => chatOf([JSON.stringify({ x: 'a'.repeat(18 * MIB) })]),
  'one long text in a chat': () => talkOf(1, 'a b \u20ac '.repeat(2.25 * MIB)),
  'as many messages as there may be in a chat': () => talkOf(2048, 'a lighthouse '.repeat(700)),
  'too many messages in a chat': () => talkOf(12_000, 'a lighthouse '.repeat(116)),
  'small submissions': () =>
    jsonOf('/v1/images/generations', '{"model":"imagegen-2.5-flare","prompt":"a lighthouse","quality":"low"}'),
  'polls of nothing': () => ({ ...jsonOf(`/v1/tasks/task_${'0'.repeat(26)}`, ''), method: 'GET' }),
  'slashes in a path': () => ({ ...jsonOf(`/v1/${'/'.repeat(15_000)}x`, ''), method: 'GET' }),
  'JSON that trickles': () => ({
    ...jsonOf('/v1/images/generations', `{"prompt":"${'x'.repeat(200_000)}"}`),
    pieces: { bytes: 1, pauseMs: 20 },
  }),
} satisfies Record<string, () => AttackBody>;

/** The ways in which an image comes in. */
const WAYS = {
  'as an upload': (image: Buffer) => formOf('/v1/uploads/images', part('file', image)),
  'as a data URL': (image: Buffer) =>
    jsonOf('/v1/uploads/images', `{"data":"data:image/png;base64,${image.toString('base64')}"}`),
  'as a file of an edit': (image: Buffer) =>
    formOf('/v1/images/edits', field('model', 'imagegen-2'), field('prompt', 'a lighthouse'), part('image', image)),
};

/** Files of some kilobytes that name more than they hold. */
const SMALL_FILES = { 'an endless run': () => ENDLESS_RUN, 'lying cues': () => LYING_CUES };
const VIDEOS = '/v1/videos/generations';
const ofFile = (file: Buffer) => ({
  model: 'videoa-2.7',
  prompt: 'She turns around',
  video_urls: [`data:video/mp4;base64,${file.toString('base64')}`],
});
/** The ways in which a file is taken apart before a penny was paid. */
const FREE_WAYS = {
  'as a file': (file: Buffer) => formOf('/v1/files', part('file', file)),
  'in an estimate': (file: Buffer) => jsonOf('/v1/estimate', JSON.stringify({ path: VIDEOS, body: ofFile(file) })),
  'in a dry run': (file: Buffer) => jsonOf(`${VIDEOS}?dry_run=true`, JSON.stringify(ofFile(file))),
};

type SmallKind = `${keyof typeof SMALL_FILES} ${keyof typeof FREE_WAYS}`;
type ImageKind = `${keyof typeof IMAGES_OF_MANY_PARTS} ${keyof typeof WAYS}`;
export type AttackKind = keyof typeof BODIES | ImageKind | SmallKind;

function inEachWay(files: Record<string, () => Buffer>, ways: Record<string, (file: Buffer) => AttackBody>) {
  return Object.fromEntries(
    Object.entries(files).flatMap(([name, make]) =>
      Object.entries(ways).map(([way, bodyOf]) => [`${name} ${way}`, () => bodyOf(make())]),
    ),
  );
}

/** Made when they are asked for: they are large. */
export const ATTACK_BODIES = {
  ...BODIES,
  ...inEachWay(IMAGES_OF_MANY_PARTS, WAYS),
  ...inEachWay(SMALL_FILES, FREE_WAYS),
} as Record<AttackKind, () => AttackBody>;

export const ATTACK_KINDS = Object.keys(ATTACK_BODIES) as AttackKind[];

/**
 * How an account sends it to do the most harm: on ten connections; JSON within JSON on one, for as long as its bodies take to come
 * in at the speed of an account, because it is judged once it is all there; small files on twelve, for some tens of uploads of others.
 */
export function effortOf(kind: AttackKind): { connections: number; seconds: number } {
  if (isWhole(kind)) return { connections: 1, seconds: 5 };
  return isTakenApart(kind) ? { connections: 12, seconds: 5 } : { connections: 10, seconds: 2 };
}

export const isWhole = (kind: AttackKind): boolean => / tool | in a chat$/.test(kind);

/** Processes of their own take it apart, for which others wait whose files are taken apart, too. */
export const isTakenApart = (kind: AttackKind): boolean =>
  Object.keys(SMALL_FILES).some((name) => kind.startsWith(name));
