<?php
/**
 * Plugin Name:       Footfall
 * Description:       Visits without cookies, measured by your own Footfall service. WooCommerce orders count as revenue, and Contact Form 7 messages as leads.
 * Version:           1.0.0
 * Requires at least: 5.8
 * Requires PHP:      7.4
 * License:           MIT
 * Text Domain:       footfall
 *
 * Nothing here delays or breaks a page: a service that is away costs a checkout two seconds at most.
 */

defined( 'ABSPATH' ) || exit;

require_once __DIR__ . '/includes/class-footfall-settings.php';
require_once __DIR__ . '/includes/class-footfall-service.php';
require_once __DIR__ . '/includes/class-footfall-snippet.php';
require_once __DIR__ . '/includes/class-footfall-orders.php';
require_once __DIR__ . '/includes/class-footfall-leads.php';

Footfall_Settings::register();
Footfall_Snippet::register();
Footfall_Orders::register();
Footfall_Leads::register();
