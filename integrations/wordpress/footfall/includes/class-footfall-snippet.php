<?php
/** The script on every page; not for those who write them, and not in previews, feeds or the administration. */

defined( 'ABSPATH' ) || exit;

final class Footfall_Snippet {
	public static function register() {
		add_action( 'wp_head', array( __CLASS__, 'show' ), 1 );
	}

	public static function show() {
		$url = Footfall_Settings::url();
		$key = Footfall_Settings::get( 'key' );
		if ( '' === $url || '' === $key || current_user_can( 'edit_posts' ) || is_preview() || is_customize_preview() ) {
			return;
		}
		$attributes = '';
		foreach ( array( 'outbound', 'downloads', 'vitals' ) as $name ) {
			$attributes .= '1' === Footfall_Settings::get( $name ) ? " data-$name" : '';
		}
		$attributes .= is_404() ? ' data-status="404"' : '';
		printf( '<script defer src="%s" data-key="%s"%s></script>' . "\n", esc_url( "$url/signals.js" ), esc_attr( $key ), $attributes ); // phpcs:ignore WordPress.Security.EscapeOutput -- fixed words
	}
}
