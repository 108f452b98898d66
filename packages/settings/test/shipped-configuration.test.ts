import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkCoverage, openSettings } from '../src';

const path = (name: string) => join(__dirname, '../../../deploy/config', name);

const SIMULATOR = {
  SIMULATOR_URL: 'http://127.0.0.1:9900',
  SIM_OPENAI_KEY: 'sim-openai-key',
  SIM_GEMINI_KEY: 'sim-gemini-key',
  SIM_ARK_KEY: 'sim-ark-key',
  SIM_DASHSCOPE_KEY: 'sim-dashscope-key',
  SIM_SKYREELS_KEY: 'sim-skyreels-key',
  SIM_MINIMAX_KEY: 'sim-minimax-key',
  SIM_KLING_KEY: 'sim-kling-access-key:sim-kling-secret-key',
  SIM_TTAPI_KEY: 'sim-ttapi-key',
  SIM_SUNOAPI_KEY: 'sim-sunoapi-key',
  SIM_LOCAL_KEY: 'none',
  SIM_MJ_KEY: 'sim-mj-key',
  DEMO_CALLBACK_ORIGIN: 'http://127.0.0.1:9901',
};

it('simulator.yaml serves every model from the simulator and lets callbacks go to the demo receiver alone', () => {
  const { settings, catalogue } = openSettings(path('simulator.yaml'), SIMULATOR);
  expect(checkCoverage(settings, catalogue.modelIds)).toEqual([]);
  expect(settings.channels.map(({ id, baseUrl, apiKey }) => [id, baseUrl, apiKey])).toEqual([
    ['images-openai', 'http://127.0.0.1:9900/openai/v1', 'sim-openai-key'],
    ['images-gemini', 'http://127.0.0.1:9900/gemini/v1beta', 'sim-gemini-key'],
    ['images-ark', 'http://127.0.0.1:9900/ark/api/v3', 'sim-ark-key'],
    ['moderations-openai', 'http://127.0.0.1:9900/openai/v1', 'sim-openai-key'],
    ['videos-dashscope', 'http://127.0.0.1:9900/dashscope/api/v1', 'sim-dashscope-key'],
    ['videos-skyreels', 'http://127.0.0.1:9900/skyreels', 'sim-skyreels-key'],
    ['videos-minimax', 'http://127.0.0.1:9900/minimax/v1', 'sim-minimax-key'],
    ['videos-kling', 'http://127.0.0.1:9900/kling', 'sim-kling-access-key:sim-kling-secret-key'],
    ['music-ttapi', 'http://127.0.0.1:9900/ttapi', 'sim-ttapi-key'],
    ['music-sunoapi', 'http://127.0.0.1:9900/sunoapi/api/v1', 'sim-sunoapi-key'],
    ['music-local', 'http://127.0.0.1', 'none'],
    ['imgtool', 'http://127.0.0.1:9900', 'sim-mj-key'],
    ['speech-openai', 'http://127.0.0.1:9900/openai/v1', 'sim-openai-key'],
    ['text-gemini', 'http://127.0.0.1:9900/gemini/v1beta', 'sim-gemini-key'],
  ]);
  expect(settings.webhooks).toMatchObject({ allowOrigins: ['http://127.0.0.1:9901'], allowPrivateCidrs: [] });
  expect(settings.media.allowPrivateCidrs).toEqual([]);
});

describe('example.yaml', () => {
  const text = readFileSync(path('example.yaml'), 'utf8');
  const env = Object.fromEntries([...text.matchAll(/\$\{(\w+_KEY\w*)\}/g)].map(([, name]) => [name, 'a secret']));

  it('loads with the variables it names and serves every model', () => {
    const { settings, catalogue } = openSettings(path('example.yaml'), env);
    expect(checkCoverage(settings, catalogue.modelIds)).toEqual([]);
  });

  it('shows S3 storage in lines that load once they are taken out of their comments', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'mediagate-example-')), 's3.yaml');
    writeFileSync(file, text.replace('  driver: filesystem\n', '').replace(/^ {2}# (\w+: )/gm, '  $1'));
    expect(openSettings(file, env).settings.storage).toMatchObject({
      driver: 's3',
      bucket: 'mediagate-results',
    });
    rmSync(dirname(file), { recursive: true });
  });
});
