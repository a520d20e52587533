/** Maximum bytes of one image, and of all images of a template. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024;
export const MAX_IMAGES_BYTES = 5 * 1024 * 1024;

/** Limits of an image's width in pixels. The maximum is the width of a message. */
export const IMAGE_WIDTH = { min: 16, max: 568 } as const;

/** Accepted image types. The server checks the content. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif'] as const;
