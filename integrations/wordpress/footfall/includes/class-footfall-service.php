<?php
/** The calls to the service. Whatever goes wrong is noted without anything of the visitor, and nothing is thrown. */

defined( 'ABSPATH' ) || exit;

final class Footfall_Service {
	/** A visitor waits for it. */
	const SECONDS = 2;

	private static function post( $path, $headers, $body ) {
		$url = Footfall_Settings::url();
		if ( '' === $url ) {
			return null;
		}
		$answer = wp_remote_post(
			$url . $path,
			array(
				'timeout'     => self::SECONDS,
				'redirection' => 0,
				'headers'     => array_merge( array( 'Content-Type' => 'application/json' ), $headers ),
				'body'        => wp_json_encode( $body ),
			)
		);
		$status = is_wp_error( $answer ) ? $answer->get_error_code() : wp_remote_retrieve_response_code( $answer );
		if ( 200 !== $status ) {
			error_log( "Footfall: $path was answered with $status" ); // phpcs:ignore WordPress.PHP.DevelopmentFunctions
			return null;
		}
		return json_decode( wp_remote_retrieve_body( $answer ), true );
	}

	private static function header( $name ) {
		return isset( $_SERVER[ $name ] ) ? sanitize_text_field( wp_unslash( $_SERVER[ $name ] ) ) : '';
	}

	/**
	 * The id of the session of whoever made this request; null when there is none. Behind a proxy, let the
	 * web server put the visitor's address into REMOTE_ADDR, as for everything else in WordPress.
	 */
	public static function session() {
		$key   = Footfall_Settings::get( 'key' );
		$proxy = Footfall_Settings::get( 'proxy_key' );
		if ( '' === $key || '' === $proxy ) {
			return null;
		}
		$headers = array(
			'X-SVC-ID'           => $key,
			'X-PROXY-KEY'        => $proxy,
			'X-PROXY-IP'         => self::header( 'REMOTE_ADDR' ),
			'X-PROXY-USER-AGENT' => self::header( 'HTTP_USER_AGENT' ),
			'X-PROXY-LANG'       => self::header( 'HTTP_ACCEPT_LANGUAGE' ),
		);
		$answer  = self::post( '/v2/signal/resolve', $headers, array( 'site_id' => $key ) );
		return isset( $answer['session_id'] ) ? $answer['session_id'] : null;
	}

	/** With the access token. @return bool whether it is stored. */
	public static function call( $path, $body ) {
		$token = Footfall_Settings::get( 'token' );
		return '' !== $token && null !== self::post( $path, array( 'Authorization' => "Bearer $token" ), $body );
	}
}
