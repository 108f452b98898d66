import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'openai-images',
  basePath: '/v1',
  vendorWords: /openai|gpt/i,
  requires: ['edit'],
});
