import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownProtocols, protocolWords } from '../src';
import { describeAdapterConformance } from './adapter-conformance';

type Row = Parameters<typeof describeAdapterConformance>[0];

/** Protocols whose adapters need no further test: what they promise is what all promise. */
const ALIKE: readonly Row[] = [
  { protocol: 'ark-images', basePath: '/api/v3', vendorWords: /ark|bytedance|seedream/i, requires: ['edit'] },
  {
    protocol: 'ark-video',
    basePath: '/api/v3',
    vendorWords: /ark\b|bytedance|byteplus|volc|seedance|doubao/i,
    answers: 'jobs',
    requires: ['frames', 'references'],
  },
  {
    protocol: 'dashscope-video',
    basePath: '/api/v1',
    vendorWords: /dashscope|alibaba|aliyun|wand/i,
    answers: 'jobs',
    requires: ['image'],
  },
  {
    protocol: 'fal-queue',
    basePath: '',
    vendorWords: /\bfal\b|seedream|kling|hailuo|minimax/i,
    answers: 'jobs',
    requires: ['images', 'edit', 'frames', 'cancel-queued'],
  },
  { protocol: 'gemini', basePath: '/v1beta', vendorWords: /google|gemini/i, requires: ['edit'] },
  {
    protocol: 'gemini-video',
    basePath: '/v1beta',
    vendorWords: /google|gemini|veo\b/i,
    answers: 'jobs',
    requires: ['frames', 'references'],
  },
  { protocol: 'kling-3', basePath: '', vendorWords: /kling|kuaishou/i, answers: 'jobs', requires: ['image'] },
  { protocol: 'kling-video', basePath: '', vendorWords: /kling|kuaishou/i, answers: 'jobs', requires: ['image'] },
  { protocol: 'midjourney-proxy', basePath: '', vendorWords: /midjourney|discord|\bmj\b/i, answers: 'jobs' },
  { protocol: 'minimax-video', basePath: '/v1', vendorWords: /minimax|hailuo/i, answers: 'jobs', requires: ['image'] },
  { protocol: 'openai-images', basePath: '/v1', vendorWords: /openai|gpt/i, requires: ['edit'] },
  {
    protocol: 'openai-videos',
    basePath: '/v1',
    vendorWords: /openai|vllm|sglang|sora|wan\b/i,
    answers: 'jobs',
    requires: ['frame-link', 'frame-upload'],
  },
  {
    protocol: 'replicate',
    basePath: '/v1',
    vendorWords: /replicate|seedream|hailuo|minimax/i,
    answers: 'jobs',
    requires: ['images', 'edit', 'frames', 'cancel-starting'],
  },
  { protocol: 'skyreels-video', basePath: '', vendorWords: /skyreels|kunlun/i, answers: 'jobs', requires: ['image'] },
];

for (const conformance of ALIKE) describeAdapterConformance(conformance);

it.each(protocolWords(ownProtocols()))('%s is judged here, or by a test in its folder', (protocol) => {
  const own = ['adapter.test.ts', 'adapter.int.test.ts'].map((name) => join(__dirname, '../src', protocol, name));
  const judges = [...own.filter(existsSync), ...ALIKE.filter((row) => row.protocol === protocol)];
  expect(judges).toHaveLength(1);
});
