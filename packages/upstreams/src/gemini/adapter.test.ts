import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'gemini',
  basePath: '/v1beta',
  vendorWords: /google|gemini/i,
  requires: ['edit'],
});
