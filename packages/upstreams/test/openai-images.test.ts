import { describeAdapterConformance } from './adapter-conformance';

describeAdapterConformance({ protocol: 'openai-images', basePath: '/v1', vendorWords: /openai|gpt/i });
