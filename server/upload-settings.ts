// The settings of files that visitors send with forms, as rows of settings.ts.
import { asItIs, backupTarget, httpUrl, whole } from './setting-values.ts'

export const uploadSettings = {
  UPLOADS_TO: {
    key: 'uploadsTo',
    type: 'folder, or s3://BUCKET/PREFIX',
    default: 'DATA_DIR/uploads',
    fallback: null,
    read: backupTarget,
    sentence:
      'Where files sent with forms are stored. On several machines, they must share it: S3-compatible storage or a common folder.',
  },
  UPLOADS_MB: {
    key: 'uploadsMb',
    fallback: 1024,
    ...whole(1, 1_000_000),
    sentence: 'How many megabytes of files a property may store. Forms with more files are refused.',
  },
  UPLOADS_S3_URL: {
    key: 'uploadsS3Url',
    default: 'https://s3.UPLOADS_S3_REGION.amazonaws.com',
    fallback: null,
    ...httpUrl,
    sentence: 'The URL of the S3-compatible storage of UPLOADS_TO, without the bucket.',
  },
  UPLOADS_S3_REGION: {
    key: 'uploadsS3Region',
    type: 'name',
    fallback: 'us-east-1',
    read: asItIs,
    sentence: 'The region of that storage.',
  },
  UPLOADS_S3_KEY_ID: {
    key: 'uploadsS3KeyId',
    type: 'text',
    fallback: null,
    read: asItIs,
    sentence: 'The access key id of that storage.',
  },
  UPLOADS_S3_SECRET: {
    key: 'uploadsS3Secret',
    type: 'text',
    fallback: null,
    read: asItIs,
    sentence: 'The secret of that access key.',
  },
} as const
