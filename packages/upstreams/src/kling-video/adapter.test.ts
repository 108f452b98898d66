import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'kling-video',
  basePath: '',
  vendorWords: /kling|kuaishou/i,
  answers: 'jobs',
  requires: ['image'],
});
