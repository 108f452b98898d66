import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'ark-images',
  basePath: '/api/v3',
  vendorWords: /ark|bytedance|seedream/i,
  requires: ['edit'],
});
