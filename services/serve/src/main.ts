import { service as page } from '@mediagate/console';
import { run, together } from '@mediagate/host';
import { service as image } from '@mediagate/image';
import { service as imgtool } from '@mediagate/imgtool';
import { service as music } from '@mediagate/music';
import { service as reconciler } from '@mediagate/reconciler';
import { service as tts } from '@mediagate/tts';
import { service as video } from '@mediagate/video';
import { service as webhookDelivery } from '@mediagate/webhook-delivery';

void run(together('serve', [image, imgtool, music, tts, video, webhookDelivery, reconciler, page]));
