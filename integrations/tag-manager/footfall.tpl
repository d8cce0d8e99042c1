___TERMS_OF_SERVICE___

By creating or modifying this file you agree to Google Tag Manager's Community
Template Gallery Developer Terms of Service available at
https://developers.google.com/tag-manager/gallery-tos (or such other URL as
Google may provide), as modified from time to time.


___INFO___

{
  "type": "TAG",
  "id": "cvt_temp_public_id",
  "version": 1,
  "securityGroups": [],
  "displayName": "Footfall",
  "categories": [
    "ANALYTICS"
  ],
  "brand": {
    "id": "brand_dummy",
    "displayName": "Footfall"
  },
  "description": "Page views, events and revenue for your own Footfall service. No cookies.",
  "containerContexts": [
    "WEB"
  ]
}


___TEMPLATE_PARAMETERS___

[
  {
    "type": "SELECT",
    "name": "type",
    "displayName": "What to do",
    "macrosInSelect": false,
    "simpleValueType": true,
    "defaultValue": "view",
    "selectItems": [
      {
        "value": "view",
        "displayValue": "Count page views"
      },
      {
        "value": "event",
        "displayValue": "Send an event"
      },
      {
        "value": "acquisition",
        "displayValue": "Record revenue"
      }
    ]
  },
  {
    "type": "TEXT",
    "name": "base",
    "displayName": "URL of your Footfall",
    "simpleValueType": true,
    "help": "Without a path of your own: https://stats.example.com",
    "valueHint": "https://stats.example.com",
    "valueValidators": [
      {
        "type": "NON_EMPTY"
      },
      {
        "type": "REGEX",
        "args": [
          "https://.+"
        ],
        "errorMessage": "Begins with https://"
      }
    ],
    "enablingConditions": [
      {
        "paramName": "type",
        "paramValue": "view",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "TEXT",
    "name": "key",
    "displayName": "Key of the property",
    "simpleValueType": true,
    "help": "In Footfall: Settings, Tracking.",
    "valueHint": "ff_…",
    "valueValidators": [
      {
        "type": "NON_EMPTY"
      }
    ],
    "enablingConditions": [
      {
        "paramName": "type",
        "paramValue": "view",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "GROUP",
    "name": "options",
    "displayName": "Also track",
    "groupStyle": "ZIPPY_OPEN",
    "enablingConditions": [
      {
        "paramName": "type",
        "paramValue": "view",
        "type": "EQUALS"
      }
    ],
    "subParams": [
      {
        "type": "CHECKBOX",
        "name": "outbound",
        "checkboxText": "Outbound links",
        "simpleValueType": true
      },
      {
        "type": "CHECKBOX",
        "name": "downloads",
        "checkboxText": "File downloads",
        "simpleValueType": true
      },
      {
        "type": "CHECKBOX",
        "name": "vitals",
        "checkboxText": "Web Vitals",
        "simpleValueType": true,
        "help": "How fast pages load and respond. 4 kB, loaded last."
      },
      {
        "type": "CHECKBOX",
        "name": "events",
        "checkboxText": "Events in attributes",
        "simpleValueType": true,
        "help": "data-signals-event on elements that are added later."
      },
      {
        "type": "CHECKBOX",
        "name": "hash",
        "checkboxText": "Hash routes",
        "simpleValueType": true,
        "help": "/#/pricing is a page of its own."
      },
      {
        "type": "CHECKBOX",
        "name": "consent",
        "checkboxText": "Wait for consent",
        "simpleValueType": true,
        "help": "Nothing is sent until signals.optIn() is called."
      }
    ]
  },
  {
    "type": "TEXT",
    "name": "name",
    "displayName": "Event name",
    "simpleValueType": true,
    "valueHint": "signup",
    "valueValidators": [
      {
        "type": "NON_EMPTY"
      }
    ],
    "enablingConditions": [
      {
        "paramName": "type",
        "paramValue": "event",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "TEXT",
    "name": "value",
    "displayName": "Value",
    "simpleValueType": true,
    "help": "Optional. A text or a number.",
    "enablingConditions": [
      {
        "paramName": "type",
        "paramValue": "event",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "TEXT",
    "name": "amount",
    "displayName": "Amount in cents",
    "simpleValueType": true,
    "help": "4900 for 49.00",
    "valueHint": "4900",
    "valueValidators": [
      {
        "type": "NON_EMPTY"
      },
      {
        "type": "NON_NEGATIVE_NUMBER"
      }
    ],
    "enablingConditions": [
      {
        "paramName": "type",
        "paramValue": "acquisition",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "TEXT",
    "name": "currency",
    "displayName": "Currency",
    "simpleValueType": true,
    "valueHint": "EUR",
    "valueValidators": [
      {
        "type": "NON_EMPTY"
      }
    ],
    "enablingConditions": [
      {
        "paramName": "type",
        "paramValue": "acquisition",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "TEXT",
    "name": "order",
    "displayName": "Order ID",
    "simpleValueType": true,
    "help": "An order that is sent again counts once.",
    "valueHint": "17",
    "enablingConditions": [
      {
        "paramName": "type",
        "paramValue": "acquisition",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "SIMPLE_TABLE",
    "name": "properties",
    "displayName": "Properties",
    "enablingConditions": [
      {
        "paramName": "type",
        "paramValue": "view",
        "type": "EQUALS"
      },
      {
        "paramName": "type",
        "paramValue": "event",
        "type": "EQUALS"
      }
    ],
    "help": "Of the page, or of the event: plan, author, section.",
    "simpleTableColumns": [
      {
        "defaultValue": "",
        "displayName": "Name",
        "name": "name",
        "type": "TEXT"
      },
      {
        "defaultValue": "",
        "displayName": "Value",
        "name": "value",
        "type": "TEXT"
      }
    ]
  }
]


___SANDBOXED_JS_FOR_WEB_TEMPLATE___

// The page's own queue is signals, an array until signals.js has loaded and an object with push from then on.
const callInWindow = require('callInWindow');
const copyFromWindow = require('copyFromWindow');
const createQueue = require('createQueue');
const injectScript = require('injectScript');
const makeNumber = require('makeNumber');
const setInWindow = require('setInWindow');

const send = (call) => {
  if (copyFromWindow('signals')) callInWindow('signals.push', call);
  else createQueue('signals')(call);
};

const properties = {};
(data.properties || []).forEach((row) => {
  if (row.name) properties[row.name] = row.value;
});

if (data.type === 'event') {
  send(['event', data.name, data.value, properties]);
  data.gtmOnSuccess();
} else if (data.type === 'acquisition') {
  const order = { value: makeNumber(data.amount), currency_code: data.currency };
  if (data.order) order.tags = ['tag-manager:order:' + data.order];
  send(['acquisition', order]);
  data.gtmOnSuccess();
} else {
  // What stands for the attributes of a script tag: data-key, data-outbound and so on.
  const attributes = { key: data.key };
  ['outbound', 'downloads', 'vitals', 'events', 'hash'].forEach((name) => {
    if (data[name]) attributes[name] = '';
  });
  if (data.consent) attributes.consent = 'required';
  for (const name in properties) attributes['props-' + name] = properties[name];
  setInWindow('footfallTag', attributes, true);
  const base = data.base.charAt(data.base.length - 1) === '/' ? data.base.slice(0, -1) : data.base;
  injectScript(base + '/tag.js', data.gtmOnSuccess, data.gtmOnFailure, 'footfall');
}


___WEB_PERMISSIONS___

[
  {
    "instance": {
      "key": {
        "publicId": "access_globals",
        "versionId": "1"
      },
      "param": [
        {
          "key": "keys",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "footfallTag"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "signals"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "signals.push"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  },
  {
    "instance": {
      "key": {
        "publicId": "inject_script",
        "versionId": "1"
      },
      "param": [
        {
          "key": "urls",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 1,
                "string": "https://*/tag.js"
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  }
]


___TESTS___

scenarios:
- name: Page views load the script of the service with its options
  code: |-
    mock('injectScript', (url, onSuccess) => onSuccess());

    runCode({ type: 'view', base: 'https://stats.example.com/', key: 'ff_1', outbound: true, consent: true,
      properties: [{ name: 'author', value: 'Ann' }] });

    assertApi('setInWindow').wasCalledWith('footfallTag',
      { key: 'ff_1', outbound: '', consent: 'required', 'props-author': 'Ann' }, true);
    assertApi('injectScript').wasCalled();
    assertApi('gtmOnSuccess').wasCalled();
- name: A script that cannot be loaded is a failed tag
  code: |-
    mock('injectScript', (url, onSuccess, onFailure) => onFailure());

    runCode({ type: 'view', base: 'https://stats.example.com', key: 'ff_1' });

    assertApi('gtmOnFailure').wasCalled();
    assertApi('gtmOnSuccess').wasNotCalled();
- name: An event waits in the queue until the script has loaded
  code: |-
    const queued = [];
    mock('copyFromWindow', undefined);
    mock('createQueue', (name) => (call) => queued.push([name, call]));

    runCode({ type: 'event', name: 'signup', value: 'newsletter', properties: [{ name: 'plan', value: 'pro' }] });

    assertThat(queued).isEqualTo([['signals', ['event', 'signup', 'newsletter', { plan: 'pro' }]]]);
    assertApi('callInWindow').wasNotCalled();
    assertApi('gtmOnSuccess').wasCalled();
- name: An event goes to the script that has loaded
  code: |-
    mock('copyFromWindow', { key: 'ff_1' });
    mock('callInWindow', undefined);

    runCode({ type: 'event', name: 'signup' });

    assertApi('callInWindow').wasCalledWith('signals.push', ['event', 'signup', undefined, {}]);
    assertApi('gtmOnSuccess').wasCalled();
- name: Revenue is a number of cents and names its order
  code: |-
    mock('copyFromWindow', { key: 'ff_1' });
    mock('callInWindow', undefined);

    runCode({ type: 'acquisition', amount: '4900', currency: 'EUR', order: '17' });

    assertApi('callInWindow').wasCalledWith('signals.push',
      ['acquisition', { value: 4900, currency_code: 'EUR', tags: ['tag-manager:order:17'] }]);
setup: ''


___NOTES___

For the Footfall service that you run yourself. Guide: docs/tag-manager.md of its repository.
