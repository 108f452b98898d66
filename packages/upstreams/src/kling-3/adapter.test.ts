import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'kling-3',
  basePath: '',
  vendorWords: /kling|kuaishou/i,
  answers: 'jobs',
  requires: ['image'],
});
