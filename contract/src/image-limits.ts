/** The most bytes that one image of a template may have, and all images of a template together. */
export const IMAGE_BYTES = 2 * 1024 * 1024;
export const IMAGES_BYTES = 5 * 1024 * 1024;

/** What an image can be; the server looks at its content. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif'] as const;
