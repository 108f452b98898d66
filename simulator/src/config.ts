import { isAbsolute } from 'node:path';
import { DEFAULT_FETCH_HOSTS, DEFAULT_IMAGE_MS, DEFAULT_REQUESTS_PER_MINUTE, DEFAULT_VIDEO_MS } from './app';
import type { StartOptions } from './simulator';

const DEFAULT_PORT = 9_900;

/**
 * Reads PORT, HOST, FFMPEG_PATH, SIM_IMAGE_MS, SIM_VIDEO_MS, SIM_FETCH_HOSTS (comma-separated) and SIM_REQUESTS_PER_MINUTE;
 * throws naming every wrong one.
 */
export function readConfig(env: NodeJS.ProcessEnv): StartOptions {
  const wrong: string[] = [];
  const wholeNumber = (name: string, fallback: number, most: number): number => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
    wrong.push(`${name} must be a whole number up to ${most}`);
    return fallback;
  };
  const ffmpegPath = env['FFMPEG_PATH'] ?? '';
  if (!isAbsolute(ffmpegPath)) {
    wrong.push('FFMPEG_PATH must be the absolute path of ffmpeg, which makes videos, songs and speech');
  }
  const fetchHosts = partsOf(env['SIM_FETCH_HOSTS']);
  const never = fetchHosts.filter((host) => !isHostOfLinks(host));
  if (never.length > 0) {
    wrong.push(`SIM_FETCH_HOSTS must be hosts as links name them, without scheme and port: ${never.join(', ')}`);
  }
  const config: StartOptions = {
    port: wholeNumber('PORT', DEFAULT_PORT, 65_535),
    host: env['HOST'] ?? '127.0.0.1',
    imageMs: wholeNumber('SIM_IMAGE_MS', DEFAULT_IMAGE_MS, 3_600_000),
    videoMs: wholeNumber('SIM_VIDEO_MS', DEFAULT_VIDEO_MS, 3_600_000),
    ffmpegPath,
    fetchHosts: fetchHosts.length === 0 ? DEFAULT_FETCH_HOSTS : fetchHosts,
    requestsPerMinute: wholeNumber('SIM_REQUESTS_PER_MINUTE', DEFAULT_REQUESTS_PER_MINUTE, 999_999_999),
  };
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return config;
}

function partsOf(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Links are compared by their host as `URL` spells it. */
function isHostOfLinks(host: string): boolean {
  return URL.parse(`http://${host}`)?.hostname === host && !host.includes('*');
}
