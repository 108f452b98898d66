import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProber, judgeUpload } from '@mediagate/media';
import { ffmpegProgram, pythonPrograms } from '@mediagate/testkit/servers';
import { EXPECTED } from './files/expected';

const run = promisify(execFile);
const INSTALL_LIMIT_MS = 300_000;

/** Arguments of ffmpeg that many files share, by the word that stands for them. */
const SHARED: Record<string, string> = {
  IMAGES: '-f lavfi -i testsrc2=size=64x48:rate=10:duration=2',
  TONE: '-f lavfi -i sine=frequency=440:duration=2',
  H264: '-c:v libx264 -pix_fmt yuv420p -preset ultrafast',
  COVER: '-i FOLDER/cover.png -map 0 -map 1 -c:v png',
};

/** Files by their names, with the arguments by which ffmpeg makes them; `FOLDER` has those before. */
const BY_FFMPEG: Record<string, string> = {
  'plain.mp4': 'IMAGES TONE H264',
  'silent.mp4': 'IMAGES H264',
  'index-first.mp4': 'IMAGES TONE H264 -movflags +faststart',
  'fragmented.mp4': 'IMAGES TONE H264 -movflags frag_keyframe+empty_moov',
  'dash.mp4': 'IMAGES TONE H264 -movflags +dash -brand dash',
  'varying-rate.mp4': "IMAGES H264 -vf select='not(mod(n,3))*lt(n,10)+gte(n,10)' -vsync vfr",
  'rotated.mp4': '-i FOLDER/plain.mp4 -c copy -metadata:s:v rotate=90',
  'rotated-180.mp4': '-i FOLDER/plain.mp4 -c copy -metadata:s:v rotate=180',
  'rotated-270.mov': '-i FOLDER/plain.mp4 -c copy -metadata:s:v rotate=270',
  'edit-list.mp4': '-ss 0.55 -i FOLDER/plain.mp4 -c copy',
  'late-image.mp4': '-itsoffset 1 -i FOLDER/plain.mp4 -i FOLDER/plain.mp4 -map 0:v -map 1:a -c copy',
  'two-sounds.mp4': '-i FOLDER/plain.mp4 TONE -map 0 -map 1 -c copy -c:a aac',
  'two-images.mp4': 'IMAGES IMAGES H264 -map 0 -map 1',
  'tall-pixels.mp4': 'IMAGES H264 -vf setsar=2/1',
  'mpeg4.mp4': 'IMAGES TONE -c:v mpeg4',
  'av1.mp4': 'IMAGES -c:v libaom-av1 -strict experimental -cpu-used 8',
  'sound-alone.mp4': 'TONE',
  'fragmented-sound.mp4': 'TONE -movflags frag_keyframe+empty_moov+dash -frag_duration 500000',
  'mp3-inside.mp4': 'TONE -c:a libmp3lame',
  'plain.m4v': 'IMAGES TONE H264',
  'plain.mov': 'IMAGES TONE H264',
  '10-bit-hevc.mov': 'IMAGES TONE -c:v libx265 -pix_fmt yuv420p10le -tag:v hvc1 -x265-params log-level=none',
  'prores.mov': 'IMAGES TONE -c:v prores_ks -c:a pcm_s16le',
  'timecode.mov': 'IMAGES TONE H264 -timecode 01:00:00:00',
  'sound-alone.mov': 'TONE -c:a aac',
  'plain.3gp': 'IMAGES -c:v h263 -s 176x144',
  'sound-alone.3gp': 'TONE -c:a aac',
  'voice-note.3gp': 'TONE -ar 8000 -ac 1 -c:a libopencore_amrnb',
  'plain.m4a': 'TONE',
  'lossless.m4a': 'TONE -c:a alac',
  'cover.png': 'IMAGES -frames:v 1',
  'with-cover.m4a': 'TONE COVER -disposition:v:0 attached_pic',
  'audio-book.m4b': 'TONE -f ipod',
  'plain.webm': 'IMAGES TONE -c:v libvpx -c:a libopus',
  'vp9.webm': 'IMAGES -c:v libvpx-vp9',
  'recorder.webm': 'IMAGES TONE -c:v libvpx -c:a libopus -live 1',
  'sound-alone.webm': 'TONE -c:a libopus',
  'vorbis.webm': 'TONE -c:a libvorbis',
  'sound-alone.mka': 'TONE -c:a aac -f matroska',
  'plain.mkv': 'IMAGES TONE H264',
  'plain.avi': 'IMAGES TONE -c:v mpeg4 -c:a libmp3lame',
  'sound-alone.avi': 'TONE -c:a libmp3lame',
  'plain.ts': 'IMAGES TONE H264',
  'sound-alone.ts': 'TONE -c:a aac',
  'plain.ogv': 'IMAGES TONE -c:v libtheora -c:a libvorbis',
  'plain.flv': 'IMAGES TONE H264',
  'plain.wmv': 'IMAGES TONE',
  'plain.mp3': 'TONE',
  'varying-rate.mp3': 'TONE -q:a 5',
  'untagged.mp3': 'TONE -write_xing 0 -id3v2_version 0',
  'with-cover.mp3': 'TONE COVER -id3v2_version 3',
  '16-bit-colour.png': 'IMAGES -frames:v 1 -pix_fmt rgb48be',
  '16-bit-alpha.png': 'IMAGES -frames:v 1 -pix_fmt rgba64be',
  'plain.gif': 'IMAGES -frames:v 1',
  'large-cover.png': '-f lavfi -i color=size=1600x1600,noise=alls=100:allf=t -frames:v 1',
  'behind-a-large-cover.mp3': 'TONE -i FOLDER/large-cover.png -map 0 -map 1 -c:v copy -id3v2_version 3',
  'plain.mp2': 'TONE',
  'plain.aac': 'TONE',
  'plain.flac': 'TONE',
  'with-cover.flac': 'TONE COVER -disposition:v:0 attached_pic',
  'vorbis.ogg': 'TONE -c:a libvorbis',
  'voice-message.opus': 'TONE -c:a libopus -ac 1 -ar 48000',
  'flac.ogg': 'TONE -c:a flac',
  'plain.aiff': 'TONE',
  'plain.wma': 'TONE',
  'plain.au': 'TONE',
  'plain.caf': 'TONE',
  '24-bit.wav': 'TONE -c:a pcm_s24le',
  '8-bit.wav': 'TONE -c:a pcm_u8',
  'six-channels.wav': 'TONE -ac 6 -c:a pcm_s24le',
  'float.wav': 'TONE -c:a pcm_f32le',
  'telephone.wav': 'TONE -c:a pcm_alaw -ar 8000',
  'adpcm.wav': 'TONE -c:a adpcm_ms',
  'mp3-inside.wav': 'TONE -c:a libmp3lame',
};

async function makeByFfmpeg(folder: string): Promise<void> {
  for (const [name, args] of Object.entries(BY_FFMPEG)) {
    const whole = args.replace(/[A-Z][A-Z\d]{3,}/g, (word) => SHARED[word] ?? word);
    const own = whole.replaceAll('FOLDER', folder).split(' ');
    await run(ffmpegProgram(), ['-nostdin', '-loglevel', 'error', ...own, join(folder, name)]);
  }
}

const prober = createProber();

/** The type, sides, length and pages that a file is taken to have; or the sentence by which it is refused. */
async function takenAs(path: string): Promise<string> {
  const { size: totalBytes } = await stat(path);
  const upload = {
    content: { path, totalBytes },
    maxImageBytes: 20_000_000,
    field: 'file',
    owner: { accountId: 'a' },
    signal: new AbortController().signal,
    takeMemory: () => undefined,
  };
  const facts = await judgeUpload(prober, upload).catch((error: Error) => error.message);
  if (typeof facts === 'string') return facts.replace(/; accepted are .*?\.(?= [A-Z]|$)/, '; accepted are …');
  const { contentType, width, height, seconds, pages } = facts;
  const sides = width === undefined ? [] : [`${width}x${height}`];
  const length = seconds === undefined ? [] : [`${seconds.toFixed(1)} s`];
  return [contentType, ...sides, ...length, ...(pages === undefined ? [] : [`${pages} pages`])].join(', ');
}

const programs = pythonPrograms('e2e/vendors/files/requirements.txt');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediagate-files-'));
}, INSTALL_LIMIT_MS);
afterAll(() => rm(folder, { recursive: true }));

(programs === undefined ? it.skip : it)(
  'files as people have them are taken as what they are, or refused by a sentence that says what to do',
  async () => {
    await run(join(String(programs), 'python'), ['e2e/vendors/files/make_files.py', folder]);
    await makeByFfmpeg(folder);
    const seen: Record<string, string> = {};
    for (const name of (await readdir(folder)).sort()) seen[name] = await takenAs(join(folder, name));
    expect(seen).toEqual(EXPECTED);
  },
  INSTALL_LIMIT_MS,
);
