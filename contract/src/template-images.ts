import { z } from 'zod';
import { MAX_IMAGE_BYTES, IMAGE_TYPES } from './image-limits.ts';
import { Id, IdParams, type RouteTable } from './route.ts';

/** `width` and `height` are in pixels. */
const TemplateImage = z.strictObject({
  _id: Id,
  type: z.enum(IMAGE_TYPES),
  width: z.int(),
  height: z.int(),
  size: z.int(),
});
export type TemplateImage = z.infer<typeof TemplateImage>;

export const templateImageRoutes = {
  'POST /email-templates/images': {
    summary: 'Adds an image for templates (multipart, field image): PNG, JPEG or GIF by its content',
    upload: 'image',
    uploadLimit: MAX_IMAGE_BYTES,
    status: 201,
    response: TemplateImage,
  },
  'GET /email-templates/images/:id': {
    summary: 'An image of a template that the caller may read',
    params: IdParams,
    download: true,
  },
} as const satisfies RouteTable;
