import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'openai-videos',
  basePath: '/v1',
  vendorWords: /openai|vllm|sglang|sora|wan\b/i,
  answers: 'jobs',
  requires: ['frame-link', 'frame-upload'],
});
